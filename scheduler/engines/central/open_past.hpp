// The epochs of a run's past for which there may be alternatives that are not known yet. Plain data.
#pragma once

#include "base/digest.hpp"
#include "replay/meeting.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace dampi::scheduler::central {

struct OpenPast {
    /// Those to which something may be sent that does not know of them; none: the past is closed.
    std::vector<replay::OpenEpoch> epochs;
    base::Digest what;  ///< all that bears on whether that comes, not which epochs they are
    /// Of these, those for which it would be an alternative, which is not so where its sender had sent another one
    /// before; and all that bears on that. Nothing where that is not known.
    std::vector<replay::OpenEpoch> exact;
    std::optional<base::Digest> what_exactly;

    [[nodiscard]] bool is_closed() const { return epochs.empty(); }
    /// Of `epochs`, sorted.
    [[nodiscard]] std::vector<replay::EpochId> names() const {
        std::vector<replay::EpochId> all;
        for (const replay::OpenEpoch& each : epochs) {
            all.push_back(each.epoch);
        }
        std::sort(all.begin(), all.end());
        return all;
    }
};

}  // namespace dampi::scheduler::central
