#include "scheduler/exploration/explorer.hpp"

#include "replay/epoch_names.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {

using replay::Decision;
using replay::Epoch;

namespace {

/// What is wrong with the epoch, measured by its decision; empty if nothing is.
std::string difference(const Epoch& epoch, const Decision& decision, bool something_happened) {
    const bool other_call = epoch.outcome && epoch.outcome->poll != decision.outcome.poll;  // of a stretch
    if (other_call && !decision.open) {
        return "was answered by another polling call";
    }
    if (!other_call && (epoch.kind != decision.kind || epoch.comm != decision.comm || epoch.tag != decision.tag)) {
        return fmt::format("is {} and not {}", replay::epoch_kind_name(epoch.kind),
                           replay::epoch_kind_name(decision.kind));
    }
    if (!epoch.outcome) {
        // A receive that fails (a truncation, say) ends the program before it is known to have matched.
        return epoch.forced && something_happened ? "" : "never came to its outcome";
    }
    const replay::Outcome& found = *epoch.outcome;
    const replay::Outcome& decided = decision.outcome;
    const std::uint32_t fewest = found.gave_up() ? decision.at_least : decided.false_answers;
    if (replay::is_polling(epoch.kind) && !epoch.timed &&
        (decision.open ? found.false_answers < fewest : found.false_answers != decided.false_answers)) {
        return fmt::format("answered false {} times and not {} times", found.false_answers, decided.false_answers);
    }
    if (decision.open) {
        return "";
    }
    if (found.source != decided.source || found.completed != decided.completed) {
        return "came to another outcome";
    }
    const bool other_message = decided.number != replay::any_message && found.number != decided.number;
    if (found.source != base::any_source && (other_message || found.tag != decided.tag)) {
        return fmt::format("met message {} with tag {} from rank {}, and not message {} with tag {}", found.number,
                           found.tag, found.source, decided.number, decided.tag);
    }
    return "";
}

}  // namespace

std::optional<Deviation> first_deviation(const replay::RunRecord& record, const std::vector<Decision>& decisions) {
    // What a rank did otherwise comes before what others then never came to. Of several such things that one is the
    // first of which the least had happened before.
    using Order = std::tuple<bool, bool, std::uint64_t>;
    std::optional<std::pair<Order, Deviation>> first;
    for (const Decision& decision : decisions) {
        const std::optional<std::size_t> place = record.place(decision.epoch);
        if (!place && !record.omitted.empty()) {
            continue;  // it may be one of those that are not kept
        }
        const std::string wrong =
            place ? difference(record.epochs[*place], decision, !record.violations.empty()) : "was never reached";
        if (wrong.empty()) {
            continue;
        }
        const bool came = place && (record.epochs[*place].outcome || record.epochs[*place].kind != decision.kind);
        const clocks::Clock posted = place ? record.epochs[*place].posted : clocks::Clock{};
        const Order order{!came, !place, posted.vector.size() + posted.lamport.value};
        if (!first || order < first->first) {
            first.emplace(order, Deviation{.epoch = decision.epoch,
                                           .text = fmt::format(
                                               "operation {} of rank {} (counting the nondeterministic ones from 0) {}",
                                               decision.epoch.index, decision.epoch.rank, wrong)});
        }
    }
    if (first) {
        return std::move(first->second);
    }
    if (record.diverged) {
        return Deviation{.epoch = {}, .text = "a rank did not follow its decisions"};
    }
    return std::nullopt;
}

}  // namespace dampi::scheduler
