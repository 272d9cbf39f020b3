// From where to where messages go.
#pragma once

#include "base/types.hpp"

namespace dampi::scheduler::central {

struct Channel {
    base::Rank source = 0;
    base::Rank destination = 0;
    bool operator==(const Channel&) const = default;
};

}  // namespace dampi::scheduler::central
