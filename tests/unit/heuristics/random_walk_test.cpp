// Single steps of random walks, on records made by hand. That all walks together come to the number of outcomes is
// tested on random programs, in tests/oracle (oracle.simulated.sampling).
#include "heuristics/random_walk.hpp"

#include "heuristics/choice_outcomes.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace dampi::heuristics {
namespace {

using replay::Epoch;
using replay::EpochKind;
using replay::Rank;
using replay::RunRecord;

clocks::Clock past(const std::vector<std::pair<Rank, std::uint32_t>>& epochs) {
    clocks::Clock clock;
    for (const auto& [rank, index] : epochs) {
        clock.vector.add(rank, index);
    }
    return clock;
}

Epoch receive(Rank rank, std::uint32_t index, Rank source, const clocks::Clock& before = {}) {
    Epoch epoch;
    epoch.id = {rank, index};
    epoch.comm = 1;
    epoch.tag = 5;
    epoch.posted = before;
    epoch.past = before;
    epoch.outcome = replay::Outcome{.source = source, .tag = 5, .number = 0, .completed = {}};
    return epoch;
}

void could_match(Epoch& epoch, Rank source, const clocks::Clock& before = {}) {
    epoch.potential_matches.push_back({.source = source, .tag = 5, .number = 0, .past = before});
}

RunRecord record_of(std::vector<Epoch> epochs) {
    RunRecord record;
    record.epochs = std::move(epochs);
    return record;
}

/// Answers from a list, and keeps what it was asked.
struct Scripted {
    std::vector<std::size_t> answers;
    std::vector<Branching> asked = {};

    RandomWalk::Choose choose() {
        return [this](const Branching& branching) {
            asked.push_back(branching);
            return answers.at(asked.size() - 1);
        };
    }
};

TEST(RandomWalk, WithoutAlternativesThereIsOneOutcome) {
    RandomWalk walk;
    Scripted script{{}};
    walk.go_on(record_of({receive(0, 0, 1), receive(0, 1, 1, past({{0, 0}}))}), script.choose());
    EXPECT_EQ(walk.estimate(), LargeNumber(1));
    RandomWalk without_epochs;
    without_epochs.go_on({}, script.choose());
    EXPECT_EQ(without_epochs.estimate(), LargeNumber(1));
}

TEST(RandomWalk, GoesOnInTheSameRunUntilItLeavesIt) {
    Epoch first = receive(0, 0, 2);
    could_match(first, 1);
    could_match(first, 3);
    Epoch second = receive(0, 1, 1, past({{0, 0}}));
    could_match(second, 3, past({{0, 0}}));
    RandomWalk walk;
    Scripted script{{1, 1}};  // as in the run; rank 3
    walk.go_on(record_of({first, second, receive(0, 2, 3, past({{0, 0}, {0, 1}}))}), script.choose());
    ASSERT_EQ(script.asked.size(), 2U);
    EXPECT_EQ(script.asked[0].probabilities, (std::vector<double>{1.0 / 3, 1.0 / 3, 1.0 / 3}));
    EXPECT_EQ(script.asked[0].as_run, 1U) << "in the order of the sources";
    EXPECT_FALSE(script.asked[0].later) << "nothing else can happen";
    EXPECT_FALSE(walk.estimate());
    ASSERT_EQ(walk.decisions().size(), 2U);
    EXPECT_EQ(walk.decisions()[0].outcome.source, 2);
    EXPECT_EQ(walk.decisions()[1].outcome.source, 3);
    EXPECT_EQ(walk.decisions()[1].tag, 5);

    walk.go_on(record_of({first, receive(0, 1, 3, past({{0, 0}})), receive(0, 2, 1, past({{0, 0}, {0, 1}}))}),
               script.choose());
    EXPECT_EQ(walk.estimate().value().value(), 6);
}

/// Rank 0 gets a message from rank 2; whether one from rank 3 comes instead depends on what rank 1 gets.
RunRecord one_may_lead_to_the_other() {
    Epoch e = receive(0, 0, 2);
    could_match(e, 3, past({{1, 0}}));
    Epoch f = receive(1, 0, 2);
    return record_of({e, f});
}

TEST(RandomWalk, WhatMayComeLaterIsPutOffUntilNothingElseIsLeft) {
    RandomWalk walk;
    Scripted script{{0, 0}};
    walk.go_on(one_may_lead_to_the_other(), script.choose());
    ASSERT_EQ(script.asked.size(), 2U);
    // The receive of which the run shows nothing later comes first, though its rank does not.
    EXPECT_TRUE(script.asked[0].later);
    EXPECT_EQ(script.asked[0].as_run, 0U);
    EXPECT_LT(script.asked[0].probabilities[1], 0.1);
    EXPECT_FALSE(script.asked[1].later);
    EXPECT_EQ(script.asked[1].probabilities, (std::vector<double>{0.5, 0.5})) << "both messages are there by then";
    EXPECT_NEAR(walk.estimate().value().value(), 2 / script.asked[0].probabilities[0], 1e-12);
}

TEST(RandomWalk, WhatWasPutOffAndDoesNotComeCountsNothing) {
    Epoch e = receive(0, 0, 2);
    RandomWalk walk;
    Scripted script{{1, 0}};  // later, and then nothing comes for it
    walk.go_on(record_of({e, receive(1, 0, 2)}), script.choose());
    ASSERT_EQ(script.asked.size(), 1U) << "the other one has no choice left";
    EXPECT_EQ(walk.estimate(), LargeNumber());
}

TEST(RandomWalk, WhatIsShownToComeLaterIsLikelier) {
    Epoch e = receive(0, 0, 2);
    could_match(e, 3, past({{1, 0}}));
    Epoch f = receive(1, 0, 2);
    could_match(f, 3, past({{0, 0}}));
    RandomWalk walk;
    Scripted script{{1, 0}};  // later; then rank 3's, the only one that is not excluded
    RunRecord record = record_of({e, f});
    walk.go_on(record, script.choose());
    ASSERT_EQ(script.asked.size(), 1U);
    ASSERT_TRUE(script.asked[0].later);
    EXPECT_GT(script.asked[0].probabilities[1], 0.2);
    EXPECT_FALSE(walk.estimate()) << "another run is needed";
    ASSERT_EQ(walk.decisions().size(), 2U);
    EXPECT_EQ(walk.decisions()[0].outcome.source, 3);
    walk.go_on(record_of({receive(0, 0, 3, past({{1, 0}})), receive(1, 0, 2)}), script.choose());
    EXPECT_NEAR(walk.estimate().value().value(), 1 / script.asked[0].probabilities[1], 1e-12);
}

TEST(RandomWalk, ChoicesReportWhatHasCompleted) {
    Epoch some;
    some.id = {0, 0};
    some.kind = EpochKind::wait_some;
    some.outcome = replay::Outcome{.completed = {0, 1}};
    some.completable = {
        {.position = 0, .known = {}}, {.position = 1, .known = {}}, {.position = 2, .known = past({{0, 0}})}};
    RandomWalk walk;
    Scripted script{{2}};
    walk.go_on(record_of({some}), script.choose());
    ASSERT_EQ(script.asked.size(), 1U);
    EXPECT_EQ(script.asked[0].probabilities.size(), 3U) << "what only completes after it is none";
    EXPECT_EQ(script.asked[0].as_run, 2U);
    EXPECT_EQ(walk.estimate().value().value(), 3);
}

TEST(RandomWalk, OfAStretchOfPollsTheSameCallAnswers) {
    Epoch epoch = receive(0, 0, 1);
    epoch.kind = EpochKind::polling_probe;
    epoch.outcome->poll = 2;
    epoch.outcome->false_answers = 3;
    epoch.outcome->released = 1;
    could_match(epoch, 2);
    RandomWalk walk;
    Scripted script{{1}};
    walk.go_on(record_of({epoch}), script.choose());
    ASSERT_EQ(walk.decisions().size(), 1U);
    const replay::Outcome& outcome = walk.decisions()[0].outcome;
    EXPECT_EQ(outcome.source, 2);
    EXPECT_EQ(outcome.poll, 2U);
    EXPECT_EQ(outcome.false_answers, 3U);
    EXPECT_EQ(outcome.released, 1U);
}

TEST(RandomWalk, WhatCannotBeChosenIsTakenAsItComes) {
    Epoch gave_up;
    gave_up.id = {0, 0};
    gave_up.kind = EpochKind::test_any;
    gave_up.outcome = replay::Outcome{.completed = {}, .false_answers = 2};
    gave_up.completable = {{.position = 0, .known = {}}, {.position = 1, .known = {}}};
    Epoch cancel;
    cancel.id = {1, 0};
    cancel.kind = EpochKind::cancel;
    cancel.outcome = replay::Outcome{.completed = {0}};
    Epoch cut_off = receive(2, 0, 1);
    cut_off.outcome.reset();
    could_match(cut_off, 1);
    RandomWalk walk;
    Scripted script{{}};
    walk.go_on(record_of({gave_up, cancel, cut_off}), script.choose());
    EXPECT_EQ(walk.estimate(), LargeNumber(1));
}

TEST(ChoiceOutcomes, OfAllKinds) {
    EXPECT_EQ(choice_outcomes(EpochKind::wait_any, {1, 4}, 2).completed,
              (std::vector<std::vector<std::uint32_t>>{{1}, {4}}));
    EXPECT_EQ(choice_outcomes(EpochKind::test_some, {1, 4}, 2).completed,
              (std::vector<std::vector<std::uint32_t>>{{1}, {4}, {1, 4}}));
    EXPECT_EQ(choice_outcomes(EpochKind::test_all, {1, 4}, 2).completed,
              (std::vector<std::vector<std::uint32_t>>{{1, 4}}));
    EXPECT_TRUE(choice_outcomes(EpochKind::test_all, {1, 4}, 3).completed.empty());
    EXPECT_TRUE(choice_outcomes(EpochKind::test_all, {}, 0).completed.empty());
    EXPECT_EQ(choice_outcomes(EpochKind::cancel, {0}, 1).completed.size(), 1);
    EXPECT_EQ(choice_outcomes(EpochKind::wait_some, {0, 1, 2, 3, 4, 5}, 6).completed.size(), 63U);
    const ChoiceOutcomes many = choice_outcomes(EpochKind::wait_some, {0, 1, 2, 3, 4, 5, 6}, 7);
    EXPECT_TRUE(many.cut);
    EXPECT_EQ(many.completed.size(), 8U);
}

TEST(ExpectedDepartures, AsIfAllRunsWereLikeThis) {
    Epoch first = receive(0, 0, 2);
    could_match(first, 1);
    could_match(first, 3);
    Epoch second = receive(0, 1, 1, past({{0, 0}}));
    could_match(second, 3, past({{0, 0}}));
    EXPECT_NEAR(expected_departures(record_of({first, second})), 2.0 / 3 + 1.0 / 2, 1e-12);
    EXPECT_EQ(expected_departures({}), 0);
}

TEST(WalkChance, IsTheSameForTheSameWalk) {
    const Branching even{.probabilities = std::vector<double>(4, 0.25), .as_run = {}};
    const auto drawn = [&](std::uint64_t seed, std::uint64_t walk) {
        WalkChance chance(seed, walk);
        std::string text;
        for (int i = 0; i < 40; ++i) {
            text += std::to_string(chance(even));
        }
        return text;
    };
    EXPECT_EQ(drawn(1, 2), drawn(1, 2));
    EXPECT_EQ((std::set<std::string>{drawn(1, 2), drawn(2, 1), drawn(1, 3), drawn(0, 0)}).size(), 4U);
    WalkChance chance(1, 1);
    std::vector<int> counts(3, 0);
    const Branching uneven{.probabilities = {0.2, 0.5, 0.3}, .as_run = {}};
    for (int i = 0; i < 10'000; ++i) {
        ++counts.at(chance(uneven));
    }
    EXPECT_NEAR(counts[0], 2000, 150);
    EXPECT_NEAR(counts[1], 5000, 200);
}

}  // namespace
}  // namespace dampi::heuristics
