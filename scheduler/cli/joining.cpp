#include "scheduler/cli/joining.hpp"

#include "base/check.hpp"
#include "base/system_error.hpp"
#include "scheduler/engines/fresh_directory.hpp"
#include "transport/network/secret.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::scheduler {

namespace fs = std::filesystem;

std::string secret_of_join(const std::string& file, const char* variable) {
    if (!file.empty()) {
        return transport::network::read_secret(file);
    }
    const char* const given = std::getenv(variable);
    if (given == nullptr) {
        throw Error(
            fmt::format("give the secret of the sweep: --secret-file FILE (- is standard input), or {} in the "
                        "environment",
                        variable));
    }
    std::string secret = given;
    ::unsetenv(variable);
    return secret;
}

std::string own_host() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

namespace {

/// The lock of a place, made where there is none: its maker was killed before it had one. Not open where the place is
/// gone, or another process holds it.
base::UniqueFd take_lock(const fs::path& place) {
    base::UniqueFd lock(::open((place / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
        const int error = errno;
        lock.reset();
        errno = error;
    }
    return lock;
}

/// What is held has its name still.
bool is_in_place(const base::UniqueFd& lock, const fs::path& place) {
    struct stat held {};
    struct stat named {};
    return ::fstat(lock.get(), &held) == 0 && ::lstat((place / "lock").c_str(), &named) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

}  // namespace

OwnFolder::OwnFolder(std::string prefix) : prefix_(std::move(prefix)) {
    const fs::path parent = fs::temp_directory_path();
    remove_abandoned(parent);
    // Again where another process took what was just made for abandoned, which can be before it is held.
    constexpr int enough = 100;
    int error = 0;
    for (int attempt = 0; attempt < enough; ++attempt) {
        std::string name = (parent / (prefix_ + "XXXXXX")).string();
        if (::mkdtemp(name.data()) == nullptr) {
            throw Error("there is no place for files of this process in " + parent.string() +
                        ": let TMPDIR name a directory with room");
        }
        path_ = name;
        lock_ = take_lock(path_);
        error = errno;
        if (lock_ && is_in_place(lock_, path_)) {
            return;
        }
        const bool taken = lock_ || error == ENOENT || error == EWOULDBLOCK;
        lock_.reset();
        if (!taken) {
            break;
        }
    }
    remove_tree(path_);
    base::fail("files of this process cannot be made in " + parent.string(), error);
}

OwnFolder::~OwnFolder() { remove_tree(path_); }

void OwnFolder::remove_abandoned(const fs::path& parent) const {
    std::error_code error;
    for (auto entry = fs::directory_iterator(parent, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        struct stat status {};
        if (!entry->path().filename().string().starts_with(prefix_) || ::lstat(entry->path().c_str(), &status) != 0 ||
            !S_ISDIR(status.st_mode) || status.st_uid != ::geteuid()) {
            continue;
        }
        const base::UniqueFd lock = take_lock(entry->path());
        if (!lock) {
            continue;
        }
        // Under another name first: whoever has just made it and is about to hold it must not find it half removed.
        fs::path gone = entry->path();
        gone += ".gone";
        std::error_code unmoved;
        fs::rename(entry->path(), gone, unmoved);
        if (!unmoved) {
            remove_tree(gone);
        }
    }
}

}  // namespace dampi::scheduler
