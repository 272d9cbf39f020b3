#include "launch/processors.hpp"

#include <sched.h>

namespace dampi::launch {

const std::vector<int>& own_processors() {
    static const std::vector<int> own = [] {
        std::vector<int> result;
        cpu_set_t set;
        CPU_ZERO(&set);
        if (sched_getaffinity(0, sizeof set, &set) == 0) {  // fails where there are very many
            for (int i = 0; i < CPU_SETSIZE; ++i) {
                if (CPU_ISSET(i, &set)) {
                    result.push_back(i);
                }
            }
        }
        return result;
    }();
    return own;
}

void keep_to(pid_t thread, int processor) noexcept {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (processor != any_processor) {
        CPU_SET(processor, &set);
    } else {
        for (const int each : own_processors()) {
            CPU_SET(each, &set);
        }
    }
    sched_setaffinity(thread, sizeof set, &set);
}

}  // namespace dampi::launch
