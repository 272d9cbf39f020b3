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
    const Progress progress =
        compare_progress({history(0, "i" + repeated("ab", 5)), history(1, "i" + repeated("ab", 4)),
                          history(2, "i" + repeated("ab", 5))});
    ASSERT_EQ(progress.classes.size(), 2U);
    EXPECT_EQ(progress.classes[0].ranks, (std::vector<int>{0, 2}));
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
    EXPECT_EQ(progress.classes[1].ahead, (std::vector<std::size_t>{0}));
    ASSERT_EQ(progress.classes[0].iterations.size(), 1U);
    EXPECT_EQ(progress.classes[0].iterations[0].second, 5U);
}

TEST(ProgressGraph, InTheSameRoundThePlaceDecides) {
    const Progress progress = compare_progress({history(0, repeated("abc", 5)), history(1, repeated("abc", 4) + "ab")});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

TEST(ProgressGraph, TheBeginningOfARoundIsBehindItsEnd) {
    const Progress progress = compare_progress({history(0, repeated("abc", 5)), history(1, repeated("abc", 4) + "a")});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

TEST(ProgressGraph, WhoHasLeftTheCallIsAhead) {
    const Progress progress = compare_progress({history(0, repeated("ab", 3), true), history(1, repeated("ab", 3))});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

TEST(ProgressGraph, OuterLoopsComeFirst) {
    // Rank 1 has done more inner rounds altogether, in fewer outer ones.
    const std::string outer = "o" + repeated("ab", 3) + "e";
    const std::string longer = "o" + repeated("ab", 9) + "e";
    const Progress progress =
        compare_progress({history(0, repeated(outer, 3) + "oab"), history(1, repeated(longer, 2) + "oab")});
    EXPECT_EQ(progress.loops.size(), 2U);
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
    ASSERT_EQ(progress.classes[0].iterations.size(), 2U);
    EXPECT_EQ(progress.classes[0].iterations[0].second, 4U);
}

TEST(ProgressGraph, InnerLoopsDecideWithinTheSameOuterRound) {
    const std::string outer = "o" + repeated("ab", 3) + "e";
    const Progress progress = compare_progress(
        {history(0, repeated(outer, 2) + "o" + repeated("ab", 3)), history(1, repeated(outer, 2) + "oab")});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

TEST(ProgressGraph, WithoutALoopTheWayDecides) {
    const Progress progress = compare_progress({history(0, "abcd"), history(1, "ab"), history(2, "abc")});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

TEST(ProgressGraph, WhoHasLeftALoopIsAheadOfThoseInIt) {
    const Progress progress = compare_progress(
        {history(0, repeated("ab", 5) + "f"), history(1, repeated("ab", 5)), history(2, repeated("ab", 4) + "a")});
    EXPECT_EQ(least(progress), (std::vector<int>{2}));
}

TEST(ProgressGraph, BranchesOfTheSameRoundCannotBeCompared) {
    const Progress progress =
        compare_progress({history(0, repeated("abd", 3) + "ab"), history(1, repeated("acd", 3) + "ac")});
    EXPECT_EQ(least(progress), (std::vector<int>{0, 1}));
    EXPECT_TRUE(progress.classes[0].ahead.empty());
}

TEST(ProgressGraph, ACallThatNobodyGotOnFromIsOfTheRoundThatLedToIt) {
    const Progress progress = compare_progress({history(0, repeated("ab", 5) + "ap"), history(1, repeated("ab", 6))});
    ASSERT_EQ(progress.classes.size(), 2U);
    ASSERT_EQ(progress.classes[0].iterations.size(), 1U);
    EXPECT_EQ(progress.classes[0].iterations[0].second, 6U);
    EXPECT_TRUE(progress.classes[0].ahead.empty());
    EXPECT_TRUE(progress.classes[1].ahead.empty());
}

TEST(ProgressGraph, ALoopOfOneCallIsOne) {
    const Progress progress = compare_progress({history(0, "iaaaa"), history(1, "iaaa")});
    EXPECT_EQ(least(progress), (std::vector<int>{1}));
}

TEST(ProgressGraph, NothingIsKnownOfNobody) {
    EXPECT_TRUE(compare_progress({}).classes.empty());
    EXPECT_TRUE(compare_progress({RankHistory{}}).classes.empty());
}

TEST(ProgressGraph, AThousandRanksTakeNoTime) {
    std::vector<RankHistory> ranks;
    for (int rank = 0; rank < 1024; ++rank) {
        ranks.push_back(history(rank, "i" + repeated("abcdefgh", rank == 700 ? 30 : 31 + rank % 7)));
    }
    EXPECT_EQ(least(compare_progress(ranks)), (std::vector<int>{700}));
}

}  // namespace
}  // namespace dampi::scheduler::watch
