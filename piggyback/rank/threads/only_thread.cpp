#include "piggyback/rank/threads/only_thread.hpp"

#include <sys/stat.h>

namespace dampi::piggyback {

bool is_only_thread() noexcept {
    struct stat tasks {};
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink == 3;  // itself, its parent's name for it, the thread
}

}  // namespace dampi::piggyback
