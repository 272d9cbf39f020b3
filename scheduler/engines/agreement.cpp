#include "scheduler/engines/agreement.hpp"

#include "replay/terminal_words.hpp"
#include "replay/violation_kind.hpp"
#include "scheduler/buffer_touches.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include <fmt/format.h>

namespace dampi::scheduler {
namespace {

using replay::RunRecord;
using replay::ViolationKind;

std::set<ViolationKind> kinds_of(const RunRecord& record) {
    std::set<ViolationKind> kinds;
    for (const replay::Violation& violation : record.violations) {
        kinds.insert(violation.kind);
    }
    return kinds;
}

/// It keeps ranks from their ends: they stop where they happen to be.
bool ends_early(ViolationKind kind) {
    using Group = replay::violation_kinds::Group;
    const Group group = replay::violation_kinds::line(kind).group;
    return replay::ends_rank(kind) || replay::is_stuck(kind) || group == Group::collective || group == Group::misuse;
}

std::map<replay::Rank, std::uint64_t> epochs_by_rank(const RunRecord& record) {
    std::map<replay::Rank, std::uint64_t> counts;
    for (const replay::Epoch& epoch : record.epochs) {
        ++counts[epoch.id.rank];
    }
    return counts;
}

std::optional<std::string> other_number_of_epochs(const RunRecord& central, const RunRecord& mpi,
                                                  std::string_view where) {
    const auto there = epochs_by_rank(central);
    const auto here = epochs_by_rank(mpi);
    if (there == here) {
        return std::nullopt;
    }
    const auto count = [](const auto& counts, replay::Rank rank) {
        const auto found = counts.find(rank);
        return found == counts.end() ? 0 : found->second;
    };
    std::set<replay::Rank> ranks;
    for (const auto& counts : {there, here}) {
        for (const auto& [rank, number] : counts) {
            ranks.insert(rank);
        }
    }
    const auto rank = *std::find_if(ranks.begin(), ranks.end(),
                                    [&](replay::Rank each) { return count(there, each) != count(here, each); });
    return fmt::format("rank {} made {} {}, not {}", rank, replay::counted(count(here, rank), "choice"), where,
                       count(there, rank));
}

}  // namespace

std::optional<std::string> disagreement(const RunRecord& central, const RunRecord& mpi, std::string_view where) {
    for (const replay::Violation& violation : mpi.violations) {
        if (replay::went_otherwise(violation.kind)) {
            return fmt::format("{} it did not follow its decisions: {}", where, violation.message);
        }
    }
    if (mpi.diverged) {
        return fmt::format("{} it did not follow its decisions", where);
    }
    const std::set<ViolationKind> model = kinds_of(central);
    const std::set<ViolationKind> library = kinds_of(mpi);
    for (const replay::Violation& violation : mpi.violations) {
        if (!model.contains(violation.kind) && !touches_buffers(violation.kind)) {
            return fmt::format("{} was seen only {}: {}", replay::text_of(violation.kind), where, violation.message);
        }
    }
    for (const replay::Violation& violation : central.violations) {
        if (ends_early(violation.kind) && !library.contains(violation.kind)) {
            return fmt::format("{} was not seen {}: {}", replay::text_of(violation.kind), where, violation.message);
        }
    }
    if (std::any_of(model.begin(), model.end(), ends_early)) {
        return std::nullopt;
    }
    return other_number_of_epochs(central, mpi, where);
}

}  // namespace dampi::scheduler
