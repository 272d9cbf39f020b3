// When is a rank in a loop outside MPI that nobody else can end? Fed with pictures and a clock of its own.
#include "scheduler/judgement/endless_loops.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using namespace std::chrono_literals;

/// Rank 0 is away from MPI, rank 1 waits for it.
struct EndlessLoopsTest : testing::Test {
    EndlessLoops loops;
    EndlessLoops::Time now{};
    std::vector<RankState> states{2};
    bool loops_for_ever = true;
    std::vector<EndlessLoops::Time> asked;

    EndlessLoopsTest() {
        states[0].idle_threads = {104};
        states[1].blocked = true;
        states[1].waits = {{.kind = transport::WaitKind::receive, .peer = 0, .providers = {0}}};
    }
    /// Who is found in this time.
    std::vector<bool> look_for(std::chrono::milliseconds time) {
        for (const auto end = now + time; now < end; now += 10ms) {
            const std::vector<bool> found = loops.look(
                states,
                [this](base::Rank rank, const std::vector<pid_t>& idle_threads) {
                    EXPECT_EQ(rank, 0);
                    EXPECT_EQ(idle_threads, std::vector<pid_t>{104});
                    asked.push_back(now);
                    return loops_for_ever;
                },
                now);
            if (!found.empty()) {
                return found;
            }
        }
        return {};
    }
};

TEST_F(EndlessLoopsTest, WhoNeverLeavesItsLoopIsFoundAfterSomeSeconds) {
    EXPECT_TRUE(look_for(1900ms).empty());
    EXPECT_TRUE(asked.empty());
    EXPECT_EQ(look_for(200ms), (std::vector<bool>{true, false}));
    EXPECT_EQ(loops.since(), EndlessLoops::Time{});
}

TEST_F(EndlessLoopsTest, WhoMayLeaveItIsLookedAtLessAndLess) {
    loops_for_ever = false;
    EXPECT_TRUE(look_for(100s).empty());
    EXPECT_EQ(asked.size(), 6U) << "after 2, 4, 8, 16, 32 and 64 s";
    ++states[0].calls;
    EXPECT_TRUE(look_for(1900ms).empty());
    EXPECT_EQ(asked.size(), 6U);
    loops_for_ever = true;
    EXPECT_FALSE(look_for(200ms).empty()) << "what was before the call does not count";
}

TEST_F(EndlessLoopsTest, NobodyIsAskedWhereAnotherMayGoOn) {
    states.resize(3);
    states[2].blocked = true;
    states[2].polls = true;
    states[2].waits = {{.kind = transport::WaitKind::receive, .peer = 0, .providers = {0}}};
    EXPECT_TRUE(look_for(20s).empty()) << "it polls";
    states[2].polls = false;
    states[2].waits.front().may_be_satisfied = true;
    EXPECT_TRUE(look_for(20s).empty()) << "what it waits for is there";
    EXPECT_TRUE(asked.empty());
    states[2].waits.front().may_be_satisfied = false;
    EXPECT_EQ(look_for(20s), (std::vector<bool>{true, false, false}));
}

TEST_F(EndlessLoopsTest, WhoIsBlockedInMpiIsInNone) {
    states[0] = states[1];
    EXPECT_TRUE(look_for(100s).empty());
    EXPECT_TRUE(asked.empty());
}

}  // namespace
}  // namespace dampi::scheduler
