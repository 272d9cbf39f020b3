// Random matches where nothing is decided: what happens is what MPI could have done, and all of it does.
#include "replay/pinned_outcomes.hpp"
#include "scheduler/sweep/findings.hpp"
#include "tests/engine/engine.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

constexpr std::uint64_t seeds = 16;

struct Seen {
    std::set<replay::Rank> first;  ///< source of the master's first epoch
};

Seen run_seeds(const std::string& how) {
    const ProgramRun what{.program = "free_matches", .arguments = {how}, .processes = 4};
    Seen seen;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const replay::Interleaving free{.free_seed = seed};
        const replay::RunRecord record = run(what, free);
        EXPECT_TRUE(record.violations.empty()) << how << ", seed " << seed;
        EXPECT_FALSE(record.diverged);
        EXPECT_TRUE(record.not_modelled.empty());
        EXPECT_TRUE(std::none_of(record.epochs.begin(), record.epochs.end(),
                                 [](const replay::Epoch& epoch) { return epoch.forced; }));
        if (record.epochs.empty() || !record.epochs.front().outcome) {
            ADD_FAILURE() << how;
            continue;
        }
        const replay::Epoch& first = record.epochs.front();
        seen.first.insert(first.outcome->source);
        for (const replay::PotentialMatch& other : first.potential_matches) {
            EXPECT_NE(other.source, first.outcome->source);
        }
        // It is a run like any other: one with these decisions comes to the same.
        if (seed % 4 == 0) {
            replay::Interleaving pinned = replay::pin_outcomes(free, record);
            pinned.free_seed = 0;
            const replay::RunRecord again = run(what, pinned);
            EXPECT_FALSE(again.diverged);
            EXPECT_EQ(format_outcomes(again.epochs, true), format_outcomes(record.epochs, true));
        }
    }
    return seen;
}

const std::set<replay::Rank> all_workers{1, 2, 3};

TEST(FreeMatches, TakeEverySourceOfWhatIsThere) {
    for (const char* how : {"recv", "irecv", "any_tag", "probe", "mprobe", "persistent", "sendrecv", "two"}) {
        EXPECT_EQ(run_seeds(how).first, all_workers) << how;
    }
}

TEST(FreeMatches, LeaveToMpiWhatAPendingReceiveMayHaveTaken) {
    EXPECT_EQ(run_seeds("pending").first, (std::set<replay::Rank>{2, 3}));
}

TEST(FreeMatches, FollowFromTheSeedWhereTheMessagesAreThere) {
    const ProgramRun what{.program = "free_matches", .arguments = {"recv"}, .processes = 4};
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const replay::Interleaving free{.free_seed = seed};
        EXPECT_EQ(run(what, free).epochs.at(0).outcome, run(what, free).epochs.at(0).outcome);
    }
}

}  // namespace
}  // namespace dampi::scheduler
