// Findings whose decisions become those of a shorter way, if a run shows that there is one.
#include "scheduler/sweep/shortest_decisions.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

std::vector<replay::Decision> choices(std::uint32_t count) {
    std::vector<replay::Decision> all;
    for (std::uint32_t i = 0; i < count; ++i) {
        all.push_back({.epoch = {0, i}, .outcome = {.source = 1, .completed = {}}});
    }
    return all;
}

Finding finding(replay::ViolationKind kind, std::uint32_t decisions) {
    Finding made;
    made.violation.kind = kind;
    made.count = 3;
    made.first_interleaving = 7;
    made.reproducer.number = 9;
    made.reproducer.decisions = choices(decisions);
    return made;
}

constexpr auto crash = replay::ViolationKind::crash;

class ShortestDecisions : public testing::Test {
protected:
    ShortestDecisions() {
        result_.findings = {finding(crash, 6)};
        known_ = {{.buffering = replay::Buffering::native, .outcomes = {}}};
        known_[0].by_cause = {
            {.cause = digest_of_cause(result_.findings[0].violation), .outcomes = "4", .shortest_way = choices(4)}};
        shown_.explored = 1;
        shown_.findings = {finding(crash, 4)};
        shown_.findings[0].epochs.resize(4);
    }

    void use() {
        use_shortest_decisions(result_, known_,
                               {.run =
                                    [&](const replay::Interleaving& interleaving) {
                                        ++runs_;
                                        EXPECT_EQ(interleaving.decisions.size(), 4U);
                                        return shown_;
                                    },
                                .go_on = [&] { return time_; }});
    }

    [[nodiscard]] std::size_t decisions() const { return result_.findings[0].reproducer.decisions.size(); }

    SweepResult result_;
    SweepResult shown_;  ///< by the run
    std::vector<OutcomesOfMode> known_;
    bool time_ = true;
    int runs_ = 0;
};

TEST_F(ShortestDecisions, TakeThePlaceOfTheFindingsOwn) {
    EXPECT_TRUE(knows_shorter_ways(result_, known_));
    use();
    EXPECT_EQ(decisions(), 4U);
    const Finding& changed = result_.findings[0];
    EXPECT_EQ(changed.epochs.size(), 4U);
    EXPECT_TRUE(changed.reproducer.trial) << "no run of the sweep";
    EXPECT_EQ(changed.count, 3U);
    EXPECT_EQ(changed.first_interleaving, 7U);
    EXPECT_EQ(runs_, 1);
}

TEST_F(ShortestDecisions, AreNotUsedIfTheRunShowsSomethingElse) {
    shown_.findings[0].violation.kind = replay::ViolationKind::abort;
    use();
    EXPECT_EQ(decisions(), 6U);
    EXPECT_FALSE(result_.findings[0].reproducer.trial);
}

TEST_F(ShortestDecisions, AreNotUsedIfTheRunDidNotFollow) {
    shown_.doubts = {finding(replay::ViolationKind::divergence, 4)};
    use();
    EXPECT_EQ(decisions(), 6U);
}

TEST_F(ShortestDecisions, AreNotUsedIfTheRunTookMore) {
    shown_.findings[0].reproducer.decisions = choices(6);
    use();
    EXPECT_FALSE(result_.findings[0].reproducer.trial);
}

TEST_F(ShortestDecisions, OfTheSameCauseAndModeOnly) {
    known_[0].buffering = replay::Buffering::zero;
    EXPECT_FALSE(knows_shorter_ways(result_, known_));
    known_[0].buffering = replay::Buffering::native;
    ++known_[0].by_cause[0].cause;
    EXPECT_FALSE(knows_shorter_ways(result_, known_));
    use();
    EXPECT_EQ(runs_, 0);
}

TEST_F(ShortestDecisions, OnlyShorterOnes) {
    result_.findings[0].reproducer.decisions = choices(4);
    EXPECT_FALSE(knows_shorter_ways(result_, known_));
}

TEST_F(ShortestDecisions, WhileThereIsTime) {
    time_ = false;
    use();
    EXPECT_EQ(runs_, 0);
    EXPECT_EQ(decisions(), 6U);
}

}  // namespace
}  // namespace dampi::scheduler
