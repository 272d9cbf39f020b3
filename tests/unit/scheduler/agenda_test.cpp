#include "scheduler/exploration/agenda.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using heuristics::Behaviour;
using heuristics::Order;
using Name = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;

/// All that is left, in its order; what is taken is not put back.
std::vector<Name> empty(Agenda& agenda, bool few_runs = false) {
    std::vector<Name> taken;
    while (const auto name = agenda.next(few_runs)) {
        agenda.remove(*name);
        taken.emplace_back(name->run, name->step, name->index);
    }
    return taken;
}

Agenda filled(Order order, std::uint64_t seed = 1) {
    Agenda agenda(order, seed);
    for (std::uint64_t run = 1; run <= 3; ++run) {
        for (std::uint32_t step = 0; step < 2; ++step) {
            for (std::uint32_t index = 0; index < 2; ++index) {
                agenda.add({.run = run, .step = step, .index = index}, {1, 1, 1});
            }
        }
    }
    return agenda;
}

TEST(Agenda, DepthFirstTakesTheLastStepOfTheLastRun) {
    Agenda agenda = filled(Order::depth_first);
    EXPECT_EQ(agenda.size(), 12U);
    const std::vector<Name> order = empty(agenda);
    EXPECT_EQ(order.front(), Name(3, 1, 0));
    EXPECT_EQ(order[1], Name(3, 1, 1));
    EXPECT_EQ(order[2], Name(3, 0, 0));
    EXPECT_EQ(order.back(), Name(1, 0, 1));
    EXPECT_EQ(agenda.size(), 0U);
}

TEST(Agenda, BreadthFirstTakesTheFirstRun) {
    Agenda agenda = filled(Order::breadth_first);
    const std::vector<Name> order = empty(agenda);
    for (std::size_t i = 0; i < order.size(); ++i) {
        EXPECT_EQ(std::get<0>(order[i]), 1 + i / 4);
        EXPECT_EQ(std::get<1>(order[i]), i % 4 / 2);
    }
}

TEST(Agenda, EveryOrderTakesAllOnce) {
    Agenda first = filled(Order::depth_first);
    std::vector<Name> all = empty(first);
    std::sort(all.begin(), all.end());
    for (const Order order : {Order::newest, Order::breadth_first, Order::random}) {
        for (const bool few_runs : {false, true}) {
            Agenda agenda = filled(order);
            std::vector<Name> taken = empty(agenda, few_runs);
            std::sort(taken.begin(), taken.end());
            EXPECT_EQ(taken, all);
        }
    }
}

TEST(Agenda, ASeedSaysWhatIsRandom) {
    Agenda one = filled(Order::random, 7);
    Agenda same = filled(Order::random, 7);
    Agenda other = filled(Order::random, 8);
    const std::vector<Name> order = empty(one);
    EXPECT_EQ(order, empty(same));
    EXPECT_NE(order, empty(other));
}

TEST(Agenda, WithFewRunsWantedGoesDepthFirst) {
    Agenda agenda = filled(Order::random);
    const std::vector<Name> order = empty(agenda, true);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end(),
                               [](const Name& a, const Name& b) { return std::get<0>(a) > std::get<0>(b); }));
}

TEST(Agenda, TheNewestComesFirstAndOnlyAsLongAsItIsNew) {
    Agenda agenda(Order::newest, 1);
    agenda.novelty().see({1, 2, 3});
    const Behaviour known{1, 2, 3};
    const Behaviour after{1, 2, 30};
    const Behaviour now{1, 20, 31};
    const Behaviour here{10, 21, 32};
    for (std::uint32_t i = 0; i < 50; ++i) {
        agenda.add({.run = 1, .step = 0, .index = i}, known);
    }
    agenda.add({.run = 2, .step = 0, .index = 0}, after);
    agenda.add({.run = 2, .step = 1, .index = 0}, here);
    agenda.add({.run = 2, .step = 1, .index = 1}, here);  // once is enough
    agenda.add({.run = 2, .step = 2, .index = 0}, now);
    std::vector<Name> order;
    for (int i = 0; i < 3; ++i) {
        const auto name = agenda.next(false);
        agenda.remove(*name);
        order.emplace_back(name->run, name->step, name->index);
    }
    EXPECT_EQ(order, (std::vector<Name>{{2, 1, 0}, {2, 2, 0}, {2, 0, 0}}));

    agenda.add({.run = 3, .step = 0, .index = 0}, {11, 22, 33});
    agenda.novelty().see({11, 22, 33});  // another run showed it meanwhile
    for (std::uint32_t i = 0; i < 20; ++i) {
        agenda.add({.run = 4, .step = 0, .index = i}, known);
    }
    const std::vector<Name> rest = empty(agenda);
    EXPECT_EQ(rest.size(), 50U + 1 + 1 + 20);
    EXPECT_NE(rest.front(), Name(3, 0, 0));
}

TEST(Agenda, SaysOfWhichRunsSomethingIsLeft) {
    Agenda agenda(Order::random, 1);
    EXPECT_FALSE(agenda.next(false));
    agenda.add({.run = 5, .step = 0, .index = 0}, {});
    EXPECT_TRUE(agenda.has(5));
    EXPECT_FALSE(agenda.has(4));
    agenda.remove({.run = 5, .step = 0, .index = 0});
    EXPECT_FALSE(agenda.has(5));
}

}  // namespace
}  // namespace dampi::scheduler
