#include "scheduler/watch/progress_graph.hpp"

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace dampi::scheduler::watch {
namespace {

/// The history of a rank whose calls were these, in order; each letter is a call at a place of its own.
RankHistory history(int rank, const std::string& calls, bool is_after = false) {
    RankHistory made{.rank = rank, .process = 100 + rank};
    std::map<char, std::size_t> states;
    std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> counts;
    std::size_t last = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto [at, is_new] = states.try_emplace(calls[i], made.states.size());
        if (is_new) {
            made.states.push_back({.key = static_cast<std::uint64_t>(calls[i]), .function = "MPI_Call"});
        }
        ++made.states[at->second].entries;
        if (i != 0) {
            ++counts[{last, at->second}];
        }
        last = at->second;
    }
    for (const auto& [edge, count] : counts) {
        made.transitions.push_back({edge.first, edge.second, count});
    }
    made.now = last;
    made.is_after = is_after;
    return made;
}

std::string repeated(const std::string& body, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) {
        text += body;
    }
    return text;
}

/// All ranks are compared.
Progress compare_all(const std::vector<RankHistory>& ranks) {
    std::vector<int> all;
    for (const RankHistory& rank : ranks) {
        all.push_back(rank.rank);
    }
    return compare_progress(ranks, all);
}

/// Of the loops that each rank is in, outermost first.
std::vector<std::vector<std::uint64_t>> iterations(const Progress& progress, int ranks) {
    std::vector<std::vector<std::uint64_t>> numbers(static_cast<std::size_t>(ranks));
    for (const ProgressClass& one : progress.classes) {
        for (const int rank : one.ranks) {
            for (const std::size_t loop : one.loops) {
                numbers[static_cast<std::size_t>(rank)].push_back(progress.rounds.at(rank)[loop].number);
            }
        }
    }
    return numbers;
}

std::vector<int> least(const Progress& progress) {
    std::vector<int> ranks;
    for (const ProgressClass& one : progress.classes) {
        if (one.is_least) {
            ranks.insert(ranks.end(), one.ranks.begin(), one.ranks.end());
        }
    }
    return ranks;
}

TEST(ProgressGraph, WhoHasBegunFewerRoundsIsBehind) {
    const Progress progress = compare_all({history(0, "i" + repeated("ab", 5)), history(1, "i" + repeated("ab", 4)),
                                           history(2, "i" + repeated("ab", 5))});
    ASSERT_EQ(progress.classes.size(), 2U);
    EXPECT_EQ(progress.classes[0].ranks, (std::vector<int>{0, 2}));
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
    EXPECT_EQ(progress.classes[1].ahead, (std::vector<std::size_t>{0}));
    EXPECT_EQ(iterations(progress, 3)[0], (std::vector<std::uint64_t>{5}));
}

TEST(ProgressGraph, InTheSameRoundThePlaceDecides) {
    const Progress progress = compare_all({history(0, repeated("abc", 5)), history(1, repeated("abc", 4) + "ab")});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

TEST(ProgressGraph, TheBeginningOfARoundIsBehindItsEnd) {
    const Progress progress = compare_all({history(0, repeated("abc", 5)), history(1, repeated("abc", 4) + "a")});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

TEST(ProgressGraph, WhoHasLeftTheCallIsAhead) {
    const Progress progress = compare_all({history(0, repeated("ab", 3), true), history(1, repeated("ab", 3))});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

TEST(ProgressGraph, OuterLoopsComeFirst) {
    // Rank 1 has done more inner rounds altogether, in fewer outer ones.
    const std::string outer = "o" + repeated("ab", 3) + "e";
    const std::string longer = "o" + repeated("ab", 9) + "e";
    const Progress progress =
        compare_all({history(0, repeated(outer, 3) + "oab"), history(1, repeated(longer, 2) + "oab")});
    EXPECT_EQ(progress.loops.size(), 2U);
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
    EXPECT_EQ(iterations(progress, 2)[0].front(), 4U);
    ASSERT_EQ(iterations(progress, 2)[0].size(), 2U);
}

TEST(ProgressGraph, InnerLoopsDecideWithinTheSameOuterRound) {
    const std::string outer = "o" + repeated("ab", 3) + "e";
    const Progress progress =
        compare_all({history(0, repeated(outer, 2) + "o" + repeated("ab", 3)), history(1, repeated(outer, 2) + "oab")});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

TEST(ProgressGraph, WithoutALoopTheWayDecides) {
    const Progress progress = compare_all({history(0, "abcd"), history(1, "ab"), history(2, "abc")});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

TEST(ProgressGraph, WhoHasLeftALoopIsAheadOfThoseInIt) {
    const Progress progress = compare_all(
        {history(0, repeated("ab", 5) + "f"), history(1, repeated("ab", 5)), history(2, repeated("ab", 4) + "a")});
    EXPECT_EQ(least(progress), (std::vector<int>{2}));
}

TEST(ProgressGraph, BranchesOfTheSameRoundCannotBeCompared) {
    const Progress progress =
        compare_all({history(0, repeated("abd", 3) + "ab"), history(1, repeated("acd", 3) + "ac")});
    EXPECT_TRUE(least(progress).empty());
}

TEST(ProgressGraph, ACallThatNobodyGotOnFromIsOfTheRoundThatLedToIt) {
    const Progress progress = compare_all({history(0, repeated("ab", 5) + "ap"), history(1, repeated("ab", 6))});
    ASSERT_EQ(progress.classes.size(), 2U);
    EXPECT_EQ(iterations(progress, 2)[0], (std::vector<std::uint64_t>{6}));
    EXPECT_TRUE(progress.classes[0].ahead.empty());
    EXPECT_TRUE(progress.classes[1].ahead.empty());
}

TEST(ProgressGraph, ALoopOfOneCallIsOne) {
    const Progress progress = compare_all({history(0, "iaaaa"), history(1, "iaaa")});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

using Numbers = std::vector<std::vector<std::uint64_t>>;

TEST(ProgressGraph, APipelineIsOneLoopAlthoughItsEndsLackCalls) {
    // The first stage only sends, the last one only receives; rank 2 misses a message.
    const Progress progress = compare_all({history(0, repeated("s", 9) + "e"), history(1, repeated("rs", 8) + "re"),
                                           history(2, repeated("rs", 7) + "r"), history(3, repeated("rs", 7) + "r"),
                                           history(4, repeated("r", 8))});
    EXPECT_EQ(progress.loops.size(), 1U);
    EXPECT_EQ(iterations(progress, 5)[2], (std::vector<std::uint64_t>{8}));
    EXPECT_EQ(iterations(progress, 5)[4], (std::vector<std::uint64_t>{8}));
    // Rank 4 has received as often as rank 2: it is not behind because it never sends.
    EXPECT_EQ(least(progress), (std::vector<int>{2, 3, 4}));
}

TEST(ProgressGraph, ABorderIsNoLoopOfItsOwn) {
    // "ab" with the left neighbour, "cd" with the right one, a wait, and now and then something all together.
    const auto steps = [](const std::string& body, int times, const std::string& rest) {
        std::string text;
        for (int i = 0; i < times; ++i) {
            text += body + (i % 4 == 3 ? "m" : "");
        }
        return text + rest;
    };
    const Progress progress =
        compare_all({history(0, steps("cdw", 18, "cdw"), true), history(1, steps("abcdw", 17, "abcdw"), true),
                     history(2, steps("abcdw", 18, "abcdw")), history(3, steps("abw", 18, "abw"))});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
    for (const auto& numbers : iterations(progress, 4)) {
        ASSERT_FALSE(numbers.empty());
    }
    EXPECT_EQ(iterations(progress, 4)[1].back(), 18U);
    EXPECT_EQ(iterations(progress, 4)[3].back(), 19U);
}

TEST(ProgressGraph, WhatIsMadeNowAndThenDoesNotCountRounds) {
    const Progress progress = compare_all({history(0, "m" + repeated("ab", 5) + "m" + repeated("ab", 5) + "m" + "ab")});
    EXPECT_EQ(iterations(progress, 1), (Numbers{{3, 11}}));
    const Progress later = compare_all({history(0, repeated(repeated("ab", 5) + "m", 2) + "a")});
    EXPECT_EQ(iterations(later, 1), (Numbers{{2, 11}}));
}

TEST(ProgressGraph, RanksWithoutACommonCallAreNotCompared) {
    // Two that never do the same in the loop that they share through a third one.
    const Progress progress =
        compare_all({history(0, repeated("xy", 3)), history(1, repeated("y", 9)), history(2, repeated("x", 2))});
    EXPECT_EQ(progress.loops.size(), 1U);
    for (const ProgressClass& one : progress.classes) {
        if (one.ranks == std::vector<int>{2}) {
            EXPECT_EQ(one.ahead, (std::vector<std::size_t>{0}));  // and not of rank 1's
        }
    }
}

TEST(ProgressGraph, WhoIsFurtherWithOneCallAndLessFarWithAnotherIsNotCompared) {
    const std::vector<RankHistory> ranks{history(0, "abababaaa"), history(1, "ababababb"),
                                         history(2, repeated("abh", 3))};
    const Progress progress = compare_progress(ranks, {0, 1});
    EXPECT_EQ(progress.loops.size(), 1U);
    EXPECT_TRUE(least(progress).empty());
}

TEST(ProgressGraph, LoopsOverOwnNeighboursAreNotCompared) {
    // Each round rank 0 sends to two neighbours, rank 1 to three; both are in the sixth one.
    const Progress progress =
        compare_all({history(0, repeated("ossw", 5) + "oss"), history(1, repeated("osssw", 5) + "oss")});
    EXPECT_TRUE(least(progress).empty());
}

TEST(ProgressGraph, OnlyThoseThatStandStillAreCompared) {
    const std::vector<RankHistory> ranks{history(0, repeated("ab", 3)), history(1, repeated("ab", 4)),
                                         history(2, repeated("ab", 5))};
    const Progress progress = compare_progress(ranks, {1, 2});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
    EXPECT_EQ(iterations(progress, 3)[0], (std::vector<std::uint64_t>{3}));
}

TEST(ProgressGraph, NobodyIsInALoopAfterTheEnd) {
    RankHistory ended = history(0, repeated("ab", 5) + "z");
    ended.states[ended.now].function = "MPI_Finalize";
    const Progress progress = compare_all({ended, history(1, repeated("ab", 4))});
    EXPECT_EQ(iterations(progress, 2), (Numbers{{}, {4}}));
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

TEST(ProgressGraph, NothingIsKnownOfNobody) {
    EXPECT_TRUE(compare_all({}).classes.empty());
    EXPECT_TRUE(compare_all({RankHistory{}}).classes.empty());
}

TEST(ProgressGraph, AThousandRanksTakeNoTime) {
    std::vector<RankHistory> ranks;
    for (int rank = 0; rank < 1024; ++rank) {
        ranks.push_back(history(rank, "i" + repeated("abcdefgh", rank == 700 ? 30 : 31 + rank % 256)));
    }
    EXPECT_EQ(least(compare_all(ranks)), (std::vector<int>{700}));
}

}  // namespace
}  // namespace dampi::scheduler::watch
