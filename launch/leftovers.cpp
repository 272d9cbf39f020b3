#include "launch/leftovers.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>

#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dampi::launch {
namespace {

namespace fs = std::filesystem;
using std::chrono::system_clock;

void remove_segments(const std::vector<pid_t>& ended) {
    shm_info info{};
    const int last = ::shmctl(0, SHM_INFO, reinterpret_cast<shmid_ds*>(&info));
    for (int index = 0; index <= last; ++index) {
        shmid_ds segment{};
        const int id = ::shmctl(index, SHM_STAT, &segment);
        if (id < 0 || segment.shm_nattch != 0 || segment.shm_perm.__key != IPC_PRIVATE ||
            segment.shm_perm.cuid != ::geteuid()) {
            continue;
        }
        if (std::find(ended.begin(), ended.end(), segment.shm_cpid) != ended.end()) {
            ::shmctl(id, IPC_RMID, nullptr);
        }
    }
}

/// Our files in /dev/shm that are named as MPICH (MPL) and UCX name theirs.
std::set<std::string> shared_files(system_clock::time_point since) {
    std::set<std::string> result;
    std::error_code gone;
    for (auto entry = fs::directory_iterator("/dev/shm", gone); !gone && entry != fs::directory_iterator();
         entry.increment(gone)) {
        const std::string name = entry->path().filename();
        if (!name.starts_with("mpich_shar_tmp") && !name.starts_with("ucx_shm_posix_")) {
            continue;
        }
        struct stat status {};
        if (::lstat(entry->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
            continue;
        }
        // Whole seconds: the file's clock may be a little behind.
        if (status.st_uid == ::geteuid() && status.st_ctim.tv_sec + 1 >= system_clock::to_time_t(since)) {
            result.insert(entry->path());
        }
    }
    return result;
}

/// Takes out of `files` those that the process has open or mapped. Open first: who closes a file has mapped it before.
void take_out_used(const fs::path& process, std::set<std::string>& files) {
    std::error_code gone;
    for (auto entry = fs::directory_iterator(process / "fd", gone); !gone && entry != fs::directory_iterator();
         entry.increment(gone)) {
        std::error_code closed;
        files.erase(fs::read_symlink(entry->path(), closed).string());
    }
    std::ifstream maps(process / "maps");
    for (std::string line; std::getline(maps, line);) {
        const std::size_t path = line.find('/');
        if (path != std::string::npos) {
            files.erase(line.substr(path));
        }
    }
}

void remove_files(system_clock::time_point since) {
    std::set<std::string> files = shared_files(since);
    if (files.empty()) {
        return;
    }
    std::error_code gone;
    for (auto entry = fs::directory_iterator("/proc", gone); !gone && entry != fs::directory_iterator();
         entry.increment(gone)) {
        const std::string name = entry->path().filename();
        if (name.find_first_not_of("0123456789") == std::string::npos) {
            take_out_used(entry->path(), files);
        }
    }
    for (const std::string& file : files) {
        ::unlink(file.c_str());
    }
}

}  // namespace

void remove_leftovers(const std::vector<pid_t>& ended, system_clock::time_point since) {
    remove_segments(ended);
    remove_files(since);
}

}  // namespace dampi::launch
