#include "base/available_memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace dampi::base {

std::uint64_t available_memory() {
    std::uint64_t available = std::numeric_limits<std::uint64_t>::max();
    std::ifstream system("/proc/meminfo");
    for (std::string word; system >> word;) {
        if (std::uint64_t kibibytes = 0; word == "MemAvailable:" && system >> kibibytes) {
            available = kibibytes * 1024;
        }
    }
    std::uint64_t most = 0;
    std::uint64_t now = 0;
    if (std::ifstream("/sys/fs/cgroup/memory.max") >> most && std::ifstream("/sys/fs/cgroup/memory.current") >> now) {
        available = std::min(available, most - std::min(now, most));
    }
    return available;
}

}  // namespace dampi::base
