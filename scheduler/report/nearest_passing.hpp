// The interleaving without a violation that is nearest to one that shows a finding: in how few outcomes they differ,
// and in which. Pure; knows of interleavings what the sweep's result keeps of each, the text of its outcomes.
#pragma once

#include "replay/epoch.hpp"
#include "scheduler/sweep/sweep_result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// One outcome of an interleaving, as format_outcomes() writes it.
struct OutcomeOfRun {
    replay::EpochId epoch;
    std::string came_to;                ///< "<-2", "=0+1", "=none"; with "@1" before it, and "~3" behind
    std::optional<std::uint32_t> site;  ///< number of its call site, if it is kept
};

/// An operation that both interleavings came to with different outcomes.
struct OtherOutcome {
    OutcomeOfRun failing;
    OutcomeOfRun passing;
    /// Nothing that came out differently happened before it: the rest follows from these. With Lamport clocks, none.
    bool first = false;
};

/// From the first outcome that differs on, what a rank came to.
struct RankDifference {
    replay::Rank rank = 0;
    std::uint64_t same = 0;  ///< outcomes before that are the same in both
    std::vector<OutcomeOfRun> failing;
    std::vector<OutcomeOfRun> passing;
    std::uint64_t failing_omitted = 0;  ///< so many more than are listed
    std::uint64_t passing_omitted = 0;
};

struct Difference {
    std::uint64_t failing = 0;  ///< numbers of interleavings
    std::uint64_t passing = 0;
    bool clean = true;                  ///< the passing one shows no violation at all; otherwise only not this kind
    bool same_buffering = true;         ///< they have the same mode of buffering
    std::uint64_t differing = 0;        ///< outcomes that are in only one of them, or other ones
    std::vector<OtherOutcome> choices;  ///< sorted: the first ones first, then by epoch
    std::vector<RankDifference> ranks;  ///< those that did something differently
    std::uint64_t choices_omitted = 0;
    std::uint64_t ranks_omitted = 0;
};

/// How much is listed.
inline constexpr std::size_t most_listed_choices = 200;
inline constexpr std::size_t most_listed_ranks = 64;
inline constexpr std::size_t most_listed_outcomes = 40;  ///< of a rank

/// Looks for the nearest one among those kept: in the same mode of buffering and without any violation if there is one,
/// then without any violation, then without one of the finding's kind. Nothing where there is none, or the outcomes are
/// not kept, or no run has shown the finding. `protocol`: of the clocks in its epochs. `bytes_left`: how much text may
/// be read; becomes less, and nothing is found when it is not enough.
[[nodiscard]] std::optional<Difference> nearest_passing(const SweepResult& result, const Finding& finding,
                                                        clocks::Protocol protocol, std::uint64_t& bytes_left);

}  // namespace dampi::scheduler
