// What a rank shows of itself, on its way from its host to dampi-run: the header of its part in the area, in lines of
// 64 bytes, of which those travel that have changed. Each number in it is as it was at some moment, as for who looks
// at it on the rank's own host. Not thread-safe.
#pragma once

#include "scheduler/engines/hosts/messages.hpp"
#include "transport/memory/area.hpp"

#include <cstdint>
#include <vector>

namespace dampi::scheduler::hosts {

class BoardLines {
public:
    explicit BoardLines(const transport::memory::Area& area) : area_(area), told_(area.processes()) {}

    /// Those that have changed since the last time.
    [[nodiscard]] std::vector<Line> changes(base::Rank rank);

private:
    const transport::memory::Area& area_;
    std::vector<std::vector<std::uint64_t>> told_;  ///< by rank; all is zero at first
};

/// Shows them here. False: they make no sense.
[[nodiscard]] bool show(const transport::memory::Area& area, base::Rank rank, const std::vector<Line>& lines);

}  // namespace dampi::scheduler::hosts
