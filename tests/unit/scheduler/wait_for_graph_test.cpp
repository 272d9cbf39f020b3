// Who waits for whom, and what is at the heart of it. Hand-made pictures of the ranks; and on small random ones the
// core is compared with what trying all sets of ranks gives.
#include "scheduler/judgement/wait_for_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace dampi::scheduler {
namespace {

using base::Rank;
using replay::WaitForGraph;
using transport::WaitKind;
using Core = WaitForGraph::Core;
using Ranks = std::vector<Rank>;

Wait from(Ranks providers, base::Tag tag = 7) {
    Wait wait;
    wait.kind = WaitKind::receive;
    wait.peer = providers.size() == 1 ? providers.front() : base::any_source;
    wait.tag = tag;
    wait.comm = base::world_comm;
    wait.providers = std::move(providers);
    return wait;
}

Wait satisfied(Wait wait) {
    wait.may_be_satisfied = true;
    return wait;
}

RankState waiting(std::vector<Wait> waits, bool any, std::string call) {
    RankState state;
    state.blocked = true;
    state.any = any;
    state.waits = std::move(waits);
    state.call = std::move(call);
    return state;
}
RankState all_of(std::vector<Wait> waits) { return waiting(std::move(waits), false, "MPI_Waitall"); }
RankState one_of(std::vector<Wait> waits) { return waiting(std::move(waits), true, "MPI_Waitany"); }
RankState receives_from(Rank source) { return waiting({from({source})}, false, "MPI_Recv"); }
RankState finalized() {
    RankState state;
    state.finalized = true;
    return state;
}
RankState computing() { return {}; }

/// A rank in a barrier that these have not entered.
RankState in_barrier(const Ranks& missing) {
    RankState state = waiting({}, false, "MPI_Barrier");
    for (const Rank rank : missing) {
        state.waits.push_back(from({rank}));
        state.waits.back().kind = WaitKind::collective;
    }
    return state;
}

/// Whoever is blocked is stuck.
WaitForGraph graph_of(const std::vector<RankState>& states) {
    std::vector<bool> stuck;
    for (const RankState& state : states) {
        stuck.push_back(state.blocked);
    }
    return make_wait_for_graph(states, stuck, [&](Rank rank, const Wait& wait) {
        return needed_action(states[static_cast<std::size_t>(rank)].call, wait, "MPI_COMM_WORLD");
    });
}

void expect_core(const WaitForGraph& graph, Core shape, const Ranks& core) {
    EXPECT_EQ(graph.shape, shape);
    EXPECT_EQ(graph.core, core);
    for (const WaitForGraph::Node& node : graph.nodes) {
        EXPECT_EQ(node.in_core, std::find(core.begin(), core.end(), node.rank) != core.end()) << node.rank;
    }
}

/// "0:1 3" for each edge's wait and rank.
std::string edges(const WaitForGraph::Node& node) {
    std::string text;
    for (const WaitForGraph::Edge& edge : node.edges) {
        text += (text.empty() ? "" : " ") + std::to_string(edge.wait) + ":" + std::to_string(edge.to);
    }
    return text;
}

TEST(WaitForGraph, TwoRanksThatWaitForEachOther) {
    const WaitForGraph graph = graph_of({receives_from(1), receives_from(0)});
    expect_core(graph, Core::cycle, {0, 1});
    ASSERT_EQ(graph.nodes.size(), 2U);
    EXPECT_EQ(graph.nodes[1].rank, 1);
    EXPECT_FALSE(graph.nodes[1].any);
    EXPECT_EQ(edges(graph.nodes[1]), "0:0");
    EXPECT_EQ(graph.nodes[1].edges[0].reason, "send a message with tag 7 on MPI_COMM_WORLD");
}

TEST(WaitForGraph, ARankThatWaitsForItself) {
    const WaitForGraph graph = graph_of({receives_from(1), receives_from(1), receives_from(0)});
    expect_core(graph, Core::cycle, {1});
    EXPECT_EQ(edges(graph.nodes[1]), "0:1");
}

TEST(WaitForGraph, ARing) {
    std::vector<RankState> states;
    Ranks expected{0};
    for (Rank rank = 0; rank < 1000; ++rank) {
        states.push_back(receives_from((rank + 999) % 1000));
    }
    for (Rank rank = 999; rank > 0; --rank) {
        expected.push_back(rank);
    }
    expect_core(graph_of(states), Core::cycle, expected);
}

TEST(WaitForGraph, TheShortestCycleIsTheCore) {
    // 0 > 1 > 2 > 3 > 0, and 3 needs 2's message as well, which needs 3's; 4 only waits for the others.
    const WaitForGraph graph = graph_of(
        {receives_from(1), receives_from(2), receives_from(3), all_of({from({0}), from({2})}), receives_from(0)});
    expect_core(graph, Core::cycle, {2, 3});
    EXPECT_EQ(edges(graph.nodes[3]), "0:0 1:2");
    EXPECT_FALSE(graph.nodes[4].in_core);
}

TEST(WaitForGraph, WhatIsThereOrMayStillComeIsNotLacking) {
    // 2 computes; rank 0 has what rank 3 sent.
    const WaitForGraph graph = graph_of(
        {all_of({satisfied(from({3})), from({2}), from({1})}), receives_from(0), computing(), receives_from(0)});
    expect_core(graph, Core::cycle, {0, 1});
    EXPECT_EQ(graph.nodes.size(), 3U);
    EXPECT_EQ(edges(graph.nodes[0]), "2:1");
}

TEST(WaitForGraph, RanksThatHaveEndedAreNoWayOut) {
    // 0 would take a message of 1 or 2, and 2 has ended: so it needs 1.
    const WaitForGraph graph = graph_of({waiting({from({0, 1, 2})}, false, "MPI_Recv"), receives_from(0), finalized()});
    expect_core(graph, Core::cycle, {0, 1});
    EXPECT_EQ(edges(graph.nodes[0]), "0:1 0:2");
}

TEST(WaitForGraph, WaitsForAnyMakeAKnot) {
    const WaitForGraph graph = graph_of({waiting({from({0, 1, 2})}, false, "MPI_Recv"), one_of({from({0}), from({2})}),
                                         one_of({from({0}), from({1})}), receives_from(1)});
    expect_core(graph, Core::knot, {0, 1, 2});
    EXPECT_TRUE(graph.nodes[1].any);
    EXPECT_EQ(edges(graph.nodes[0]), "0:1 0:2");
    EXPECT_EQ(edges(graph.nodes[1]), "0:0 1:2");
}

TEST(WaitForGraph, AWaitForAnyWithOneHelperLeftIsPartOfACycle) {
    expect_core(graph_of({one_of({from({1}), from({2})}), receives_from(0), finalized()}), Core::cycle, {0, 1});
}

TEST(WaitForGraph, AKnotHasNoPartThatIsOne) {
    // Everybody is locked with everybody, but 3, 4 and 5 are by themselves when 3 is seen to lack what 4 and 5 have.
    const WaitForGraph graph = graph_of({one_of({from({1}), from({2})}), one_of({from({0}), from({3})}),
                                         one_of({from({0}), from({4})}), all_of({from({0, 1}), from({4, 5})}),
                                         one_of({from({3}), from({5})}), one_of({from({3}), from({4})})});
    expect_core(graph, Core::knot, {3, 4, 5});
    EXPECT_EQ(edges(graph.nodes[3]), "0:0 0:1 1:4 1:5");
}

TEST(WaitForGraph, AChainThatEndsAtARankThatHasEnded) {
    const WaitForGraph graph = graph_of({receives_from(1), receives_from(2), finalized(), receives_from(0)});
    expect_core(graph, Core::end, {1});
    EXPECT_EQ(edges(graph.nodes[1]), "0:2");
    EXPECT_EQ(graph.nodes[1].edges[0].reason, "send a message with tag 7 on MPI_COMM_WORLD");
}

TEST(WaitForGraph, ACycleSaysMoreThanARankThatHasEnded) {
    const WaitForGraph graph = graph_of({all_of({from({2}), from({1})}), receives_from(0), finalized()});
    expect_core(graph, Core::cycle, {0, 1});
    EXPECT_EQ(edges(graph.nodes[0]), "0:2 1:1");
}

TEST(WaitForGraph, AWayToTheEndIsNoKnot) {
    const WaitForGraph graph =
        graph_of({one_of({from({1}), from({2})}), one_of({from({0}), from({2})}), receives_from(3), finalized()});
    expect_core(graph, Core::end, {2});
}

TEST(WaitForGraph, ACrashedRankHasEnded) {
    std::vector<RankState> states{receives_from(1), computing()};
    states[1].alive = false;
    expect_core(graph_of(states), Core::end, {0});
}

TEST(WaitForGraph, NothingIsKnownOfWhatTheLibraryWaitsFor) {
    Wait other;
    other.may_be_satisfied = true;
    const WaitForGraph graph = graph_of({receives_from(1), all_of({other})});
    expect_core(graph, Core::end, {1});
    EXPECT_TRUE(graph.nodes[1].edges.empty());
}

TEST(WaitForGraph, NobodyIsStuck) {
    const WaitForGraph graph = graph_of({computing(), finalized()});
    expect_core(graph, Core::end, {});
    EXPECT_TRUE(graph.nodes.empty());
}

TEST(WaitForGraph, ABarrierOfAThousandWithoutTwo) {
    std::vector<RankState> states;
    for (Rank rank = 0; rank < 1000; ++rank) {
        states.push_back(rank == 600 ? receives_from(601) : rank == 601 ? receives_from(300) : in_barrier({600, 601}));
    }
    const WaitForGraph graph = graph_of(states);
    expect_core(graph, Core::cycle, {300, 601});
    EXPECT_EQ(graph.nodes[0].edges[0].reason, "enter MPI_Barrier on MPI_COMM_WORLD");
    EXPECT_EQ(edges(graph.nodes[0]), "0:600 1:601");
}

TEST(WaitForGraph, AThousandRanksThatEachLackAThousandThings) {
    std::vector<RankState> states;
    Ranks everyone(1000);
    std::iota(everyone.begin(), everyone.end(), 0);
    Ranks late(everyone.begin() + 500, everyone.end());
    for (Rank rank = 0; rank < 500; ++rank) {
        states.push_back(in_barrier(late));
    }
    for (Rank rank = 500; rank < 999; ++rank) {
        states.push_back(receives_from(rank + 1));
    }
    states.push_back(waiting({from(everyone)}, false, "MPI_Recv"));
    const WaitForGraph graph = graph_of(states);
    // Rank 999 alone has a choice, and each rank that it could choose waits for it in the end.
    EXPECT_EQ(graph.shape, Core::knot);
    EXPECT_EQ(graph.nodes[0].edges.size(), most_edges_of_a_node);
    EXPECT_EQ(graph.nodes[0].edges_omitted, 500 - most_edges_of_a_node);
    EXPECT_EQ(graph.nodes[999].edges.size(), most_edges_of_a_node);
    EXPECT_EQ(graph.nodes[999].edges_omitted, 999 - most_edges_of_a_node);
    EXPECT_EQ(graph.core.size(), 1000U);
}

TEST(WaitForGraph, TheEdgesOfTheCoreAreNotOmitted) {
    std::vector<RankState> states;
    for (Rank rank = 0; rank < 100; ++rank) {
        states.push_back(receives_from(99));
    }
    Ranks ended;
    for (Rank rank = 100; rank < 200; ++rank) {
        states.push_back(finalized());
        ended.push_back(rank);
    }
    ended.push_back(50);
    states[99] = all_of({from(ended), from({100})});
    const WaitForGraph graph = graph_of(states);
    expect_core(graph, Core::cycle, {50, 99});
    ASSERT_EQ(graph.nodes[99].edges.size(), most_edges_of_a_node);
    EXPECT_EQ(graph.nodes[99].edges[0].to, 50);
    EXPECT_EQ(graph.nodes[99].edges_omitted, 102 - most_edges_of_a_node);
}

TEST(WaitForGraph, Words) {
    Wait wait = from({1}, base::any_tag);
    EXPECT_EQ(needed_action("MPI_Recv", wait, "c"), "send a message with any tag on c");
    wait.kind = WaitKind::send;
    wait.tag = 3;
    EXPECT_EQ(needed_action("MPI_Ssend", wait, "c"), "receive the message with tag 3 on c");
    wait.kind = WaitKind::collective;
    EXPECT_EQ(needed_action("MPI_Bcast", wait, "c"), "enter MPI_Bcast on c");
    EXPECT_EQ(needed_action("MPI_Wait", wait, "c"), "enter the collective on c");
    wait.kind = WaitKind::leader;
    EXPECT_EQ(needed_action("MPI_Intercomm_create", wait, "c"),
              "exchange the groups in MPI_Intercomm_create with tag 3");
    wait.kind = WaitKind::post;
    EXPECT_EQ(needed_action("MPI_Win_start", wait, "w"), "call MPI_Win_post for it on w");
    wait.kind = WaitKind::complete;
    EXPECT_EQ(needed_action("MPI_Win_wait", wait, "w"), "call MPI_Win_complete on w");
    wait.kind = WaitKind::unlock;
    EXPECT_EQ(needed_action("MPI_Win_lock", wait, "w"), "give back its lock of rank 3's memory on w");
    wait.tag = base::any_tag;
    EXPECT_EQ(needed_action("MPI_Win_lock", wait, "w"), "give back its lock of all ranks' memory on w");
    wait.kind = WaitKind::finalize;
    EXPECT_EQ(needed_action("MPI_Finalize", wait, "c"), "call MPI_Finalize");
}

// The reference: all sets of ranks.

using Set = std::uint32_t;

/// The ranks of which one would have to move, for each thing that a rank lacks.
std::vector<Set> options(const std::vector<RankState>& states, Rank rank) {
    const RankState& state = states[static_cast<std::size_t>(rank)];
    std::vector<Set> all;
    Set any = 0;
    for (const Wait& wait : state.waits) {
        Set set = 0;
        for (const Rank provider : wait.providers) {
            set |= states[static_cast<std::size_t>(provider)].blocked ? Set{1} << provider : 0;
        }
        any |= set;
        all.push_back(set);
    }
    if (state.any) {
        all = {any};
    }
    for (Set& set : all) {
        set = set == Set{1} << rank ? set : set & ~(Set{1} << rank);
    }
    return all;
}

bool closed(const std::vector<RankState>& states, Set set) {
    for (Rank rank = 0; rank < static_cast<Rank>(states.size()); ++rank) {
        if ((set >> rank & 1U) != 0) {
            const std::vector<Set> possible = options(states, rank);
            if (std::none_of(possible.begin(), possible.end(),
                             [&](Set option) { return option != 0 && (option & ~set) == 0; })) {
                return false;
            }
        }
    }
    return true;
}

/// The length of the shortest closed walk along options of one rank; 0: none.
std::size_t shortest_cycle(const std::vector<RankState>& states) {
    for (std::size_t length = 1; length <= states.size(); ++length) {
        for (Rank start = 0; start < static_cast<Rank>(states.size()); ++start) {
            Set reached = Set{1} << start;
            for (std::size_t step = 0; step < length; ++step) {
                Set next = 0;
                for (Rank rank = 0; rank < static_cast<Rank>(states.size()); ++rank) {
                    for (const Set option :
                         (reached >> rank & 1U) != 0 && states[static_cast<std::size_t>(rank)].blocked
                             ? options(states, rank)
                             : std::vector<Set>{}) {
                        next |= std::popcount(option) == 1 ? option : 0;
                    }
                }
                reached = next;
            }
            if ((reached >> start & 1U) != 0) {
                return length;
            }
        }
    }
    return 0;
}

TEST(WaitForGraph, TheCoreIsWhatTryingAllSetsGives) {
    std::mt19937 random(4);
    unsigned shapes[3] = {0, 0, 0};
    for (int round = 0; round < 6000; ++round) {
        const auto count = static_cast<Rank>(2 + random() % 6);
        std::vector<RankState> states;
        for (Rank rank = 0; rank < count; ++rank) {
            if (random() % 8 == 0) {
                states.push_back(finalized());
                continue;
            }
            std::vector<Wait> waits(1 + random() % 3);
            for (Wait& wait : waits) {
                Ranks providers;
                for (Rank provider = 0; provider < count; ++provider) {
                    if (random() % 3 == 0 || (round % 2 == 0 && random() % 2 == 0)) {
                        providers.push_back(provider);
                    }
                }
                wait = from(providers);
            }
            states.push_back(waiting(std::move(waits), random() % 2 == 0, "MPI_Waitall"));
        }
        const WaitForGraph graph = graph_of(states);
        ++shapes[static_cast<int>(graph.shape)];
        Set core = 0;
        for (const Rank rank : graph.core) {
            core |= Set{1} << rank;
        }
        const std::size_t cycle = shortest_cycle(states);
        Set blocked = 0;
        for (Rank rank = 0; rank < count; ++rank) {
            blocked |= states[static_cast<std::size_t>(rank)].blocked ? Set{1} << rank : 0;
        }
        if (cycle != 0) {
            ASSERT_EQ(graph.shape, Core::cycle) << round;
            ASSERT_EQ(graph.core.size(), cycle) << round;
            ASSERT_EQ(graph.core.front(), *std::min_element(graph.core.begin(), graph.core.end()));
            for (std::size_t i = 0; i < cycle; ++i) {
                const std::vector<Set> possible = options(states, graph.core[i]);
                const Set next = Set{1} << graph.core[(i + 1) % cycle];
                ASSERT_NE(std::find(possible.begin(), possible.end(), next), possible.end()) << round;
            }
            continue;
        }
        bool some_closed = false;
        for (Set set = blocked; set != 0; set = (set - 1) & blocked) {
            some_closed = some_closed || closed(states, set);
        }
        if (!some_closed) {
            ASSERT_EQ(graph.shape, Core::end) << round;
            for (Rank rank = 0; rank < count; ++rank) {
                if ((blocked >> rank & 1U) != 0) {
                    const std::vector<Set> possible = options(states, rank);
                    const bool lacks = std::find(possible.begin(), possible.end(), 0U) != possible.end();
                    ASSERT_EQ((core >> rank & 1U) != 0, lacks) << round;
                }
            }
            continue;
        }
        ASSERT_EQ(graph.shape, Core::knot) << round;
        ASSERT_TRUE(closed(states, core)) << round;
        for (Set part = (core - 1) & core; part != 0; part = (part - 1) & core) {
            ASSERT_FALSE(closed(states, part)) << round << ": a part is closed";
        }
    }
    for (const unsigned shape : shapes) {
        EXPECT_GT(shape, 100U);
    }
}

}  // namespace
}  // namespace dampi::scheduler
