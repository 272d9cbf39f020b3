#include "launch/observe/processor_time.hpp"

#include "base/content_of.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>

namespace dampi::launch {

ProcessorTime processor_time_of(pid_t process) {
    const std::string folder = "/proc/" + std::to_string(process);
    std::ifstream times(folder + "/schedstat");
    std::int64_t ran = 0;
    std::int64_t waited = 0;
    const std::string stat = base::content_of(folder + "/stat");
    const auto name_ends = stat.rfind(')');
    if (!(times >> ran >> waited) || name_ends == std::string::npos) {
        return {};
    }
    // One that somebody has stopped goes on when he lets it.
    const auto state = name_ends + 2 < stat.size() ? stat[name_ends + 2] : ' ';
    return {.is_ready = state == 'R' || state == 'T' || state == 't',
            .ran = std::chrono::nanoseconds(ran),
            .waited = std::chrono::nanoseconds(waited),
            .is_stopped = state == 'T'};
}

std::chrono::nanoseconds time_had(const ProcessorTime& before, const ProcessorTime& now,
                                  std::chrono::nanoseconds passed) {
    const bool is_known = before.ran.count() != 0 && now.ran >= before.ran && now.waited >= before.waited;
    if (!is_known) {
        return passed;
    }
    return now.is_ready ? std::min(passed, now.ran - before.ran)
                        : passed - std::min(passed, now.waited - before.waited);
}

}  // namespace dampi::launch
