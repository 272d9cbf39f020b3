#include "piggyback/rank/threads/only_thread.hpp"

#include <sys/stat.h>

namespace dampi::piggyback {

bool is_only_thread(unsigned harmless) noexcept {
    struct stat tasks {};
    constexpr nlink_t alone = 3;  // itself, its parent's name for it, the thread
    return stat("/proc/self/task", &tasks) == 0 && tasks.st_nlink >= alone && tasks.st_nlink <= alone + harmless;
}

}  // namespace dampi::piggyback
