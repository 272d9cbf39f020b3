// What ISP tells of one interleaving.
#pragma once

#include "replay/call_event.hpp"
#include "replay/violation.hpp"

#include <cstdint>
#include <vector>

namespace dampi::scheduler::isp {

struct Interleaving {
    std::uint64_t number = 1;              ///< counts from 1 without gaps
    std::vector<replay::CallEvent> calls;  ///< sorted by name
    std::vector<replay::Violation> violations;
};

}  // namespace dampi::scheduler::isp
