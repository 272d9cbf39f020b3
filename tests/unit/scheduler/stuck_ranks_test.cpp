// Which ranks can never go on, by one picture of them.
#include "scheduler/judgement/stuck_ranks.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace dampi::scheduler {
namespace {

using Ranks = std::vector<base::Rank>;

Wait wait_for(Ranks providers, bool may_be_satisfied = false) {
    return {
        .kind = transport::WaitKind::receive, .may_be_satisfied = may_be_satisfied, .providers = std::move(providers)};
}

RankState all_of(std::vector<Wait> waits) {
    RankState state;
    state.blocked = true;
    state.waits = std::move(waits);
    return state;
}

RankState any_of(std::vector<Wait> waits) {
    RankState state = all_of(std::move(waits));
    state.any = true;
    return state;
}

RankState computing() { return {}; }

RankState dead() {
    RankState state;
    state.alive = false;
    return state;
}

RankState finalized() {
    RankState state;
    state.finalized = true;
    return state;
}

Ranks stuck(const std::vector<RankState>& states, Polling polling = Polling::goes_on) {
    Ranks ranks;
    const std::vector<bool> bits = stuck_ranks(states, polling);
    for (std::size_t rank = 0; rank < bits.size(); ++rank) {
        if (bits[rank]) {
            ranks.push_back(static_cast<base::Rank>(rank));
        }
    }
    return ranks;
}

TEST(StuckRanks, ACycleIsStuckAndWhoWaitsForItToo) {
    EXPECT_EQ(stuck({all_of({wait_for({1})}), all_of({wait_for({0})}), all_of({wait_for({1})}), computing()}),
              (Ranks{0, 1, 2}));
}

TEST(StuckRanks, AllNeedsAllAndAnyNeedsOne) {
    // Rank 2 computes and may do what is waited for.
    EXPECT_EQ(stuck({all_of({wait_for({1}), wait_for({2})}), all_of({wait_for({0})}), computing()}), (Ranks{0, 1}));
    EXPECT_EQ(stuck({any_of({wait_for({1}), wait_for({2})}), all_of({wait_for({0})}), computing()}), Ranks{});
    EXPECT_EQ(stuck({any_of({wait_for({1}), wait_for({1})}), all_of({wait_for({0})}), computing()}), (Ranks{0, 1}));
}

TEST(StuckRanks, AWildcardHasAWayOutAsLongAsOneSenderRuns) {
    EXPECT_EQ(stuck({all_of({wait_for({0, 1, 2})}), all_of({wait_for({0})}), computing()}), Ranks{});
    EXPECT_EQ(stuck({all_of({wait_for({0, 1})}), all_of({wait_for({0})}), computing()}), (Ranks{0, 1}))
        << "the third rank is not in the communicator";
}

TEST(StuckRanks, WhatIsThereIsAWayOut) {
    EXPECT_EQ(stuck({all_of({wait_for({1}, true)}), all_of({wait_for({0})})}), Ranks{});
    EXPECT_EQ(stuck({all_of({wait_for({1}, true), wait_for({1})}), all_of({wait_for({0})})}), (Ranks{0, 1}));
}

TEST(StuckRanks, WhoHasEndedBringsNothing) {
    EXPECT_EQ(stuck({all_of({wait_for({1})}), dead()}), Ranks{0});
    EXPECT_EQ(stuck({all_of({wait_for({1})}), finalized()}), Ranks{0});
    EXPECT_EQ(stuck({dead(), finalized()}), Ranks{});
}

TEST(StuckRanks, WhatIsNotKnownIsAWayOut) {
    EXPECT_EQ(stuck({all_of({})}), Ranks{});
    RankState foreign = all_of({wait_for({1})});
    foreign.foreign = true;
    EXPECT_EQ(stuck({foreign, all_of({wait_for({0})})}), Ranks{});
}

TEST(StuckRanks, WhoPollsGoesOnOrWaits) {
    RankState polls = all_of({wait_for({1})});
    polls.polls = true;
    EXPECT_EQ(stuck({polls, all_of({wait_for({0})})}), Ranks{});
    EXPECT_EQ(stuck({polls, all_of({wait_for({0})})}, Polling::waits), (Ranks{0, 1}));
}

TEST(StuckRanks, LongChainsFallInBothDirections) {
    constexpr base::Rank ranks = 1000;
    std::vector<RankState> up;
    std::vector<RankState> down;
    for (base::Rank rank = 0; rank < ranks; ++rank) {
        up.push_back(all_of({wait_for({rank + 1})}));
        down.push_back(all_of({wait_for({rank == 0 ? ranks : rank - 1})}));
    }
    up.push_back(computing());
    down.push_back(computing());
    EXPECT_EQ(stuck(up), Ranks{});
    EXPECT_EQ(stuck(down), Ranks{});
    up.back() = down.back() = dead();
    EXPECT_EQ(stuck(up).size(), 1000U);
    EXPECT_EQ(stuck(down).size(), 1000U);
}

TEST(StuckRanks, WhoWaitsForTheDeadIsStuckByTheirDeathAlone) {
    // 1 and 2 wait for each other; 3 waits for 0, which is dead, and 4 for either; 5 for one that has ended well.
    const std::vector<RankState> states{dead(),
                                        all_of({wait_for({2})}),
                                        all_of({wait_for({1})}),
                                        all_of({wait_for({0})}),
                                        any_of({wait_for({0}), wait_for({1})}),
                                        all_of({wait_for({6})}),
                                        finalized()};
    EXPECT_EQ(stuck(states), (Ranks{1, 2, 3, 4, 5}));
    EXPECT_EQ(stuck_whoever_died(states, Polling::goes_on),
              (std::vector<bool>{false, true, true, false, false, true, false}));
}

}  // namespace
}  // namespace dampi::scheduler
