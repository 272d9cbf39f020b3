// What of a rank's memory the order of messages changes: two runs of a pair are made again, and their memory is
// compared at a moment to which the rank comes in both when it has been told of all choices that came out differently.
// Says less where there is a doubt: what is not known to be a variable of the program's, addresses, MPI's own handles
// and statuses, where messages were received and copies of that, and what is the same again later.
#pragma once

#include "launch/program/source_lines.hpp"
#include "replay/decision.hpp"
#include "replay/run_record.hpp"
#include "scheduler/order/order_pairs.hpp"
#include "scheduler/order_account.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

namespace dampi::scheduler {

struct OrderEffectsSettings {
    /// Makes the run, in which the ranks write their moments into `folder`; nothing where that was not to be.
    std::function<bool(const replay::Interleaving&)> run;
    std::filesystem::path folder;  ///< it is there
    std::function<bool()> go_on;   ///< whether there is time for more
};

/// `pairs`: OrderPairs::pairs(). Of those that are about the same the first that shows something counts; not more than
/// a few are looked at.
[[nodiscard]] std::vector<OrderEffect> order_effects(const std::vector<std::vector<OrderPair>>& pairs,
                                                     const OrderEffectsSettings& settings);

}  // namespace dampi::scheduler
