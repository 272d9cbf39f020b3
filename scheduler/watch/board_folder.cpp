#include "scheduler/watch/board_folder.hpp"

#include "base/check.hpp"

#include <chrono>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::scheduler::watch {
namespace {

namespace fs = std::filesystem;

constexpr const char* beginning = "dampi-watch.";
/// Between a rank that has made a folder and the monitor that it has started for it.
constexpr std::chrono::minutes longest_start{1};
constexpr int most_tries = 10;

/// Null where another one has the lock, or what is there now is another folder, or none.
base::UniqueFd locked(const fs::path& folder) {
    base::UniqueFd file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat held {};
    struct stat there {};
    const bool is_own = file && flock(file.get(), LOCK_EX | LOCK_NB) == 0 && fstat(file.get(), &held) == 0 &&
                        lstat(folder.c_str(), &there) == 0 && held.st_ino == there.st_ino &&
                        held.st_dev == there.st_dev && held.st_uid == geteuid();
    return is_own ? std::move(file) : base::UniqueFd();
}

/// Ranks that still have a board there go on to write into it.
void remove_abandoned(const fs::path& parent) {
    std::error_code error;
    for (auto entry = fs::directory_iterator(parent, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        std::error_code gone;
        if (!entry->path().filename().string().starts_with(beginning) ||
            fs::file_time_type::clock::now() - entry->last_write_time(gone) < longest_start || gone) {
            continue;
        }
        if (const base::UniqueFd lock = locked(entry->path())) {
            fs::remove_all(entry->path(), gone);
        }
    }
}

}  // namespace

BoardFolder::BoardFolder() {
    const fs::path parent = fs::exists("/dev/shm") ? fs::path("/dev/shm") : fs::temp_directory_path();
    remove_abandoned(parent);
    // Another monitor may take one for abandoned that is not locked yet; where there are no locks, none does.
    for (int tried = 0; !lock_ && tried < most_tries; ++tried) {
        std::string name = parent / (std::string(beginning) + "XXXXXX");
        if (mkdtemp(name.data()) == nullptr) {
            throw Error("cannot make a folder in /dev/shm or the temporary directory for what the ranks tell");
        }
        path_ = name;
        lock_ = locked(path_);
    }
}

BoardFolder::BoardFolder(fs::path path) : path_(std::move(path)), lock_(locked(path_)) {
    remove_abandoned(path_.parent_path());
}

BoardFolder::~BoardFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
}

}  // namespace dampi::scheduler::watch
