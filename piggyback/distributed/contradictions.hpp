// Calls that are wrong for what calls before them have done, judged before MPI sees them. They are made all the same.
#pragma once

#include "base/types.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/rank/call.hpp"
#include "replay/violation_kind.hpp"

#include <cstdint>
#include <string>

namespace dampi::piggyback::distributed {

/// The call that the one found wrong contradicts.
struct EarlierCall {
    base::Rank rank = 0;
    std::string call;  ///< empty: there is none
    std::uint64_t site = 0;
    std::string what;  ///< it has done
};

/// Puts the finding into the log, once for each place and kind. `message` goes on from the call's name.
void note_contradiction(DistributedLayer& layer, const Call& call, replay::ViolationKind kind,
                        const std::string& message, const EarlierCall& earlier = {});

}  // namespace dampi::piggyback::distributed
