// Deadlocks because ranks enter the collectives of different communicators in different orders.
#include "scheduler/judgement/collective_order.hpp"

#include <gtest/gtest.h>

#include <initializer_list>

namespace dampi::scheduler {
namespace {

using base::CommId;
using base::Rank;
using transport::WaitKind;

Wait needs(CommId comm, Rank peer, std::uint64_t number = 0) {
    return {.kind = WaitKind::collective, .peer = peer, .comm = comm, .number = number};
}

RankState blocked(std::initializer_list<Wait> waits) {
    RankState state;
    state.blocked = true;
    state.waits = waits;
    return state;
}

using Cycle = std::vector<OrderStep>;

TEST(CollectiveOrder, TwoRanksOnTwoCommunicators) {
    const std::vector<RankState> states{blocked({needs(7, 2, 3)}), blocked({needs(7, 2, 3)}),
                                        blocked({needs(9, 0, 5), needs(9, 1, 5)})};
    EXPECT_EQ(find_collective_order(states),
              (Cycle{{.rank = 0, .comm = 7, .sequence = 3}, {.rank = 2, .comm = 9, .sequence = 5}}));
}

TEST(CollectiveOrder, ALongerCycleInItsOrder) {
    const std::vector<RankState> states{blocked({needs(7, 2)}), blocked({needs(8, 0)}), blocked({needs(9, 1)})};
    EXPECT_EQ(find_collective_order(states), (Cycle{{.rank = 0, .comm = 7, .sequence = 0},
                                                    {.rank = 2, .comm = 9, .sequence = 0},
                                                    {.rank = 1, .comm = 8, .sequence = 0}}));
}

TEST(CollectiveOrder, TheShortestIsNamed) {
    const std::vector<RankState> states{blocked({needs(7, 1)}), blocked({needs(8, 2)}),
                                        blocked({needs(9, 0), needs(9, 3)}), blocked({needs(6, 2)})};
    EXPECT_EQ(find_collective_order(states),
              (Cycle{{.rank = 2, .comm = 9, .sequence = 0}, {.rank = 3, .comm = 6, .sequence = 0}}));
}

TEST(CollectiveOrder, AProviderIsAsGoodAsAPeer) {
    Wait wait = needs(7, base::any_source);
    wait.providers = {1};
    EXPECT_EQ(find_collective_order({blocked({wait}), blocked({needs(8, 0)})}).size(), 2U);
    wait.providers = {1, 2};
    EXPECT_TRUE(find_collective_order({blocked({wait}), blocked({needs(8, 0)})}).empty()) << "another might do";
}

TEST(CollectiveOrder, OtherDeadlocksStayWhatTheyAre) {
    Wait receive = needs(8, 0);
    receive.kind = WaitKind::receive;
    EXPECT_TRUE(find_collective_order({blocked({needs(7, 1)}), blocked({receive})}).empty());

    Wait satisfied = needs(8, 0);
    satisfied.may_be_satisfied = true;
    EXPECT_TRUE(find_collective_order({blocked({needs(7, 1)}), blocked({satisfied})}).empty());

    RankState either = blocked({needs(8, 0), needs(9, 2)});
    either.any = true;
    EXPECT_TRUE(find_collective_order({blocked({needs(7, 1)}), either, blocked({})}).empty());

    RankState gone = blocked({needs(8, 0)});
    gone.finalized = true;
    EXPECT_TRUE(find_collective_order({blocked({needs(7, 1)}), gone}).empty());

    EXPECT_TRUE(find_collective_order({blocked({needs(7, 1)}), blocked({})}).empty()) << "no cycle";
    EXPECT_TRUE(find_collective_order({blocked({needs(7, 1)}), blocked({needs(7, 0)})}).empty())
        << "one communicator has one order";
    EXPECT_TRUE(find_collective_order({blocked({needs(7, 99)}), blocked({needs(8, 0)})}).empty());
    EXPECT_TRUE(find_collective_order({}).empty());
}

}  // namespace
}  // namespace dampi::scheduler
