// Exploration over match relations on small simulated programs: each outcome is run once, and all of them. The
// random programs of tests/oracle do the same with the real clocks.
#include "scheduler/exploration/match_relations.hpp"

#include "scheduler/exploration/single.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler {
namespace {

using replay::Decision;
using replay::Epoch;
using replay::EpochId;
using replay::EpochKind;
using replay::Interleaving;
using replay::Outcome;
using replay::Rank;
using replay::RunRecord;

const Decision* find(const std::vector<Decision>& decisions, const EpochId& id) {
    const auto found = std::find_if(decisions.begin(), decisions.end(),
                                    [&](const Decision& decision) { return decision.epoch == id; });
    return found == decisions.end() ? nullptr : &*found;
}

/// Rank `rank` makes blocking wildcard receives until it has all messages; source s sends messages[s].
void receive_all(RunRecord& record, const Interleaving& interleaving, std::mt19937& random, Rank rank,
                 std::map<Rank, unsigned> messages, clocks::Clock clock = {}) {
    std::map<Rank, std::uint64_t> taken;
    for (std::uint32_t index = 0;; ++index) {
        std::vector<Rank> sources;
        for (const auto& [source, count] : messages) {
            if (taken[source] < count) {
                sources.push_back(source);
            }
        }
        if (sources.empty()) {
            return;
        }
        Epoch epoch;
        epoch.id = {rank, index};
        epoch.posted = clock;
        epoch.past = clock;
        Rank source = sources[random() % sources.size()];
        if (const Decision* decision = find(interleaving.decisions, epoch.id)) {
            source = decision->outcome.source;
            epoch.forced = true;
            EXPECT_EQ(std::count(sources.begin(), sources.end(), source), 1);
            EXPECT_EQ(decision->outcome.number, taken[source]);
        }
        epoch.outcome = Outcome{.source = source, .tag = 0, .number = taken[source], .completed = {}};
        for (const Rank other : sources) {
            if (other != source) {
                epoch.potential_matches.push_back({.source = other, .tag = 0, .number = taken[other], .past = clock});
            }
        }
        ++taken[source];
        epoch.final = clock.lamport;
        clock.lamport.advance();
        clock.vector.add(rank, index);
        record.epochs.push_back(std::move(epoch));
    }
}

std::string text(const RunRecord& record, bool with_false_answers = false) {
    std::string text;
    for (const Epoch& epoch : record.epochs) {
        text += std::to_string(epoch.id.rank) + "#" + std::to_string(epoch.id.index) + ":";
        if (epoch.outcome) {
            text += std::to_string(epoch.outcome->source);
            for (const std::uint32_t position : epoch.outcome->completed) {
                text += "+" + std::to_string(position);
            }
            if (with_false_answers) {
                text += "~" + std::to_string(epoch.outcome->false_answers);
            }
        }
        text += " ";
    }
    return text;
}

/// Lets the explorer learn from the run of what it handed out last. Where the run deviated, if it did.
std::optional<Deviation> learn(Explorer& explorer, const Interleaving& interleaving, const RunRecord& record) {
    const Lesson lesson = explorer.learn(interleaving.number, record, {}).value();
    explorer.apply(lesson);
    return lesson.deviation;
}

using Program = std::function<RunRecord(const Interleaving&)>;

/// Explores to the end; each run must be new. `polls`: what the explorer explores of polling calls.
std::set<std::string> explore(MatchRelations& explorer, const Program& program, std::uint32_t polls = 0) {
    const bool with_false_answers = polls != 0;
    std::set<std::string> outcomes;
    while (const auto interleaving = explorer.next()) {
        if (interleaving->trial) {
            learn(explorer, *interleaving, program(*interleaving));
            continue;
        }
        EXPECT_TRUE(std::is_sorted(interleaving->decisions.begin(), interleaving->decisions.end(),
                                   [](const Decision& a, const Decision& b) { return a.epoch < b.epoch; }));
        const RunRecord record = program(*interleaving);
        const auto deviation = learn(explorer, *interleaving, record);
        EXPECT_FALSE(deviation) << deviation->text;
        EXPECT_TRUE(outcomes.insert(text(record, with_false_answers)).second) << text(record);
        if (outcomes.size() > 5000) {
            ADD_FAILURE() << "it does not end";
            break;
        }
    }
    EXPECT_EQ(explorer.pending(), 0U);
    return outcomes;
}

class BothProtocols : public testing::TestWithParam<clocks::Protocol> {};
INSTANTIATE_TEST_SUITE_P(MatchRelations, BothProtocols,
                         testing::Values(clocks::Protocol::lamport, clocks::Protocol::vector), [](const auto& info) {
                             return info.param == clocks::Protocol::lamport ? "lamport" : "vector";
                         });

TEST_P(BothProtocols, AProgramWithoutEpochsIsRunOnce) {
    MatchRelations explorer;
    const auto outcomes = explore(explorer, [](const Interleaving& interleaving) {
        EXPECT_TRUE(interleaving.decisions.empty());
        return RunRecord{};
    });
    EXPECT_EQ(outcomes.size(), 1U);
}

TEST_P(BothProtocols, AMasterSeesEveryOrderOfItsWorkersOnce) {
    std::mt19937 random(1);
    const std::vector<std::pair<std::map<Rank, unsigned>, std::size_t>> cases = {
        {{{1, 1}}, 1}, {{{1, 1}, {2, 1}, {3, 1}}, 6}, {{{1, 2}, {2, 2}}, 6}, {{{1, 2}, {2, 2}, {3, 2}}, 90}};
    for (const auto& [messages, count] : cases) {
        MatchRelations explorer;
        const auto outcomes = explore(explorer, [&, &all = messages](const Interleaving& interleaving) {
            RunRecord record{.protocol = GetParam()};
            receive_all(record, interleaving, random, 0, all);
            return record;
        });
        EXPECT_EQ(outcomes.size(), count);
    }
}

TEST(MatchRelations, IndependentMastersMultiply) {
    std::mt19937 random(2);
    MatchRelations explorer;
    const auto outcomes = explore(explorer, [&](const Interleaving& interleaving) {
        RunRecord record;
        receive_all(record, interleaving, random, 0, {{4, 1}, {5, 1}, {6, 1}});
        receive_all(record, interleaving, random, 1, {{4, 1}, {5, 1}, {6, 1}});
        receive_all(record, interleaving, random, 2, {{4, 2}, {5, 1}});
        return record;
    });
    EXPECT_EQ(outcomes.size(), 6U * 6U * 3U);
}

// Lamport clocks order independent epochs by chance. What is kept may be less, but is always feasible (receive_all
// checks that), and the outcomes are all found here.
TEST(MatchRelations, LamportClocksForceOnlyWhatIsFeasible) {
    std::mt19937 random(3);
    MatchRelations explorer;
    const auto outcomes = explore(explorer, [&](const Interleaving& interleaving) {
        RunRecord record{.protocol = clocks::Protocol::lamport};
        receive_all(record, interleaving, random, 0, {{4, 1}, {5, 1}, {6, 1}});
        receive_all(record, interleaving, random, 1, {{4, 1}, {5, 1}});
        return record;
    });
    EXPECT_EQ(outcomes.size(), 12U);
}

/// Rank 0 has `requests` receives that can all complete, and completes them by calls of one kind.
RunRecord complete_all(const Interleaving& interleaving, std::mt19937& random, EpochKind kind, std::uint32_t requests) {
    RunRecord record;
    std::set<std::uint32_t> active;
    for (std::uint32_t position = 0; position < requests; ++position) {
        active.insert(position);
    }
    clocks::Clock clock;
    for (std::uint32_t index = 0; active.size() > 1; ++index) {
        Epoch epoch;
        epoch.id = {0, index};
        epoch.kind = kind;
        epoch.posted = clock;
        epoch.past = clock;
        std::vector<std::uint32_t> completed;
        for (const std::uint32_t position : active) {
            epoch.completable.push_back({.position = position, .known = {}});
            if (completed.empty() || (kind == EpochKind::wait_some && random() % 2 == 0)) {
                completed.push_back(position);
            }
        }
        if (const Decision* decision = find(interleaving.decisions, epoch.id)) {
            completed = decision->outcome.completed;
        }
        for (const std::uint32_t position : completed) {
            EXPECT_EQ(active.erase(position), 1U);
        }
        epoch.outcome = Outcome{};
        epoch.outcome->completed = completed;
        clock.vector.add(0, index);
        record.epochs.push_back(std::move(epoch));
    }
    return record;
}

TEST(MatchRelations, WaitanyReportsEveryOrder) {
    std::mt19937 random(4);
    MatchRelations explorer;
    EXPECT_EQ(explore(explorer,
                      [&](const Interleaving& interleaving) {
                          return complete_all(interleaving, random, EpochKind::wait_any, 4);
                      })
                  .size(),
              24U);
    EXPECT_TRUE(explorer.left_out().otherwise.empty());
}

TEST(MatchRelations, WaitsomeReportsEverySet) {
    // Ordered partitions of three requests, without the last single one: 3 ways for all at once, two, or one ...
    std::mt19937 random(5);
    MatchRelations explorer;
    EXPECT_EQ(explore(explorer,
                      [&](const Interleaving& interleaving) {
                          return complete_all(interleaving, random, EpochKind::wait_some, 3);
                      })
                  .size(),
              // all three; one of three pairs, then nothing to choose; one of three, then one of two or both
              1U + 3U + 3U * 3U);
}

TEST(MatchRelations, WaitsomeOfManyRequestsSaysWhatItLeavesOut) {
    MatchRelations explorer;
    const auto outcomes = explore(explorer, [&](const Interleaving& interleaving) {
        RunRecord record;
        Epoch epoch;
        epoch.kind = EpochKind::wait_some;
        epoch.outcome = Outcome{};
        epoch.outcome->completed = {0};
        for (std::uint32_t position = 0; position < 10; ++position) {
            epoch.completable.push_back({.position = position, .known = {}});
        }
        if (!interleaving.decisions.empty()) {
            epoch.outcome = interleaving.decisions.front().outcome;
        }
        record.epochs.push_back(epoch);
        return record;
    });
    EXPECT_EQ(outcomes.size(), 11U);
    EXPECT_EQ(explorer.left_out().otherwise.size(), 1U);
}

TEST(MatchRelations, ACompletionThatFollowsFromTheChoiceIsNoAlternative) {
    MatchRelations explorer;
    const auto outcomes = explore(explorer, [](const Interleaving&) {
        RunRecord record;
        Epoch epoch;
        epoch.kind = EpochKind::wait_any;
        epoch.outcome = Outcome{};
        epoch.outcome->completed = {0};
        epoch.completable.push_back({.position = 0, .known = {}});
        clocks::Clock after;
        after.vector.add(0, 0);
        epoch.completable.push_back({.position = 1, .known = after});
        record.epochs.push_back(epoch);
        return record;
    });
    EXPECT_EQ(outcomes.size(), 1U);
}

TEST(MatchRelations, AdditionalFalseAnswersAreExploredOnRequestOnly) {
    for (std::uint32_t polls = 0; polls < 4; ++polls) {
        MatchRelations explorer({.explore_polls = polls});
        // Two polling loops, one after the other.
        const auto outcomes = explore(
            explorer,
            [](const Interleaving& interleaving) {
                RunRecord record;
                clocks::Clock clock;
                for (std::uint32_t index = 0; index < 2; ++index) {
                    Epoch epoch;
                    epoch.id = {0, index};
                    epoch.kind = EpochKind::test;
                    epoch.past = clock;
                    epoch.outcome = Outcome{};
                    epoch.outcome->completed = {0};
                    if (const Decision* decision = find(interleaving.decisions, epoch.id)) {
                        epoch.outcome->false_answers = decision->outcome.false_answers;
                    }
                    epoch.completable.push_back({.position = 0, .known = {}});
                    clock.vector.add(0, index);
                    record.epochs.push_back(epoch);
                }
                return record;
            },
            polls);
        EXPECT_EQ(outcomes.size(), (polls + 1) * (polls + 2) / 2);  // together up to `polls`
    }
}

/// One polling call that answers true at once, unless told otherwise; `again`: the program polls until it does.
RunRecord poll_once(const Interleaving& interleaving, bool again) {
    RunRecord record;
    Epoch& epoch = record.epochs.emplace_back();
    epoch.kind = EpochKind::test;
    epoch.where = {.module = "program", .offset = 1, .function = "main", .file = "program.c", .line = 7};
    epoch.outcome = Outcome{};
    epoch.completable.push_back({.position = 0, .known = {}});
    const bool told = !interleaving.decisions.empty();
    epoch.outcome->false_answers = told ? interleaving.decisions[0].outcome.false_answers : 0;
    if (!told || again) {
        epoch.outcome->completed = {0};
    }
    return record;
}

TEST(MatchRelations, OneTrialTellsWhetherAFalseAnswerMatters) {
    for (const bool loop : {true, false}) {
        MatchRelations explorer;
        unsigned interleavings = 0;
        unsigned trials = 0;
        while (const auto interleaving = explorer.next()) {
            ++(interleaving->trial ? trials : interleavings);
            EXPECT_FALSE(learn(explorer, *interleaving, poll_once(*interleaving, loop)));
        }
        EXPECT_EQ(interleavings, 1U);
        EXPECT_EQ(trials, 1U);
        EXPECT_EQ(explorer.left_out().otherwise.size(), loop ? 0U : 1U);
    }
}

TEST(MatchRelations, ALoopSeenInTheRunItselfNeedsNoTrial) {
    MatchRelations explorer;
    auto interleaving = explorer.next();
    RunRecord record = poll_once(*interleaving, true);
    record.epochs[0].outcome->false_answers = 12;
    learn(explorer, *interleaving, record);
    EXPECT_FALSE(explorer.next());
    EXPECT_TRUE(explorer.left_out().otherwise.empty());
}

TEST(MatchRelations, APollThatWasGivenUpIsSaidToBeLeftOut) {
    MatchRelations explorer;
    auto interleaving = explorer.next();
    RunRecord record = poll_once(*interleaving, true);
    record.epochs[0].outcome->completed.clear();
    record.epochs[0].outcome->false_answers = 1;
    learn(explorer, *interleaving, record);
    EXPECT_FALSE(explorer.next());
    EXPECT_EQ(explorer.left_out().otherwise.size(), 1U);
}

TEST(MatchRelations, OneThatWasGivenUpByChanceCouldHaveAnswered) {
    MatchRelations explorer({.explore_undecided_polls = true});
    auto interleaving = explorer.next();
    RunRecord record = poll_once(*interleaving, true);
    record.epochs[0].outcome->completed.clear();
    record.epochs[0].outcome->false_answers = 1;
    record.epochs[0].repetition = replay::Repetition::undecided;
    record.epochs[0].timed = true;
    learn(explorer, *interleaving, record);
    const auto answered = explorer.next();
    ASSERT_TRUE(answered);
    ASSERT_EQ(answered->decisions.size(), 1U);
    EXPECT_EQ(answered->decisions[0].outcome.completed, (std::vector<std::uint32_t>{0}));
    learn(explorer, *answered, poll_once(*answered, true));
    EXPECT_FALSE(explorer.next());
    EXPECT_EQ(explorer.left_out().otherwise.size(), 1U) << "after other numbers of false answers";
}

/// A program that tests a request up to `patience` times; the message for it is always there.
RunRecord poll_with_patience(const Interleaving& interleaving, std::uint32_t patience) {
    RunRecord record = poll_once(interleaving, true);
    Epoch& epoch = record.epochs[0];
    const Decision* decision = find(interleaving.decisions, {0, 0});
    epoch.repetition = decision == nullptr ? replay::Repetition::undecided : replay::Repetition::not_tried;
    const std::uint32_t falses = decision == nullptr ? 0 : decision->outcome.false_answers;
    epoch.outcome->false_answers = std::min(falses, patience);
    if (falses >= patience) {
        epoch.outcome->completed.clear();
    }
    return record;
}

TEST(MatchRelations, GivingUpIsExploredWhereItIsNotProvenToMakeNoDifference) {
    for (const std::uint32_t patience : {1U, 2U, 3U, 7U, 30U}) {
        MatchRelations explorer({.explore_undecided_polls = true});
        std::set<std::uint32_t> answered_after;
        std::uint32_t gave_up_after = 0;
        while (const auto interleaving = explorer.next()) {
            const RunRecord record = poll_with_patience(*interleaving, patience);
            const replay::Outcome& outcome = *record.epochs[0].outcome;
            if (outcome.gave_up()) {
                EXPECT_EQ(gave_up_after, 0U) << "twice";
                gave_up_after = outcome.false_answers;
            } else {
                EXPECT_TRUE(answered_after.insert(outcome.false_answers).second) << "twice";
            }
            EXPECT_FALSE(learn(explorer, *interleaving, record));
        }
        EXPECT_EQ(gave_up_after, patience);
        EXPECT_EQ(answered_after.size(), patience) << "each number of false answers";
        EXPECT_TRUE(explorer.left_out().otherwise.empty());
    }
}

TEST(MatchRelations, AProgramThatNeverGivesUpIsSaidToBeExploredInPart) {
    MatchRelations explorer({.explore_undecided_polls = true});
    unsigned runs = 0;
    while (const auto interleaving = explorer.next()) {
        ++runs;
        EXPECT_FALSE(learn(explorer, *interleaving, poll_with_patience(*interleaving, 1'000'000)));
    }
    EXPECT_EQ(runs, 4U) << "none, one more, two more, very many";
    EXPECT_EQ(explorer.left_out().otherwise.size(), 1U);
}

/// Each rank tests so many requests, one after the other, at different places; the messages are always there.
/// `fill(epoch, decision)` sets what is known of each stretch and how often it answers false; null: nothing is decided.
template <typename Fill>
RunRecord each_tests(const Interleaving& interleaving, std::int32_t ranks, std::uint32_t requests, Fill&& fill) {
    RunRecord record;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        clocks::Clock clock;
        for (std::uint32_t index = 0; index < requests; ++index) {
            Epoch& epoch = record.epochs.emplace_back();
            epoch.id = {rank, index};
            epoch.kind = EpochKind::test;
            epoch.where = {.module = "program", .offset = index, .function = "main", .file = "program.c", .line = 7};
            epoch.posted = epoch.past = clock;
            epoch.outcome = Outcome{};
            epoch.completable.push_back({.position = 0, .known = clock});
            fill(epoch, find(interleaving.decisions, epoch.id));
            clock.vector.add(rank, index);
        }
    }
    return record;
}

/// The outcomes of all runs of a program, none of them twice: of each of its stretches '-' or '+', as `is_minus(epoch)`
/// says. `left_out`: at how many places something is.
template <typename Run, typename IsMinus>
std::set<std::string> all_outcomes(Run&& run, IsMinus&& is_minus, std::size_t& left_out) {
    MatchRelations explorer({.explore_undecided_polls = true});
    std::set<std::string> outcomes;
    while (const auto interleaving = explorer.next()) {
        const RunRecord record = run(*interleaving);
        std::string outcome;
        for (const Epoch& epoch : record.epochs) {
            outcome += is_minus(epoch) ? '-' : '+';
        }
        EXPECT_TRUE(outcomes.insert(outcome).second) << outcome << " twice";
        EXPECT_FALSE(learn(explorer, *interleaving, record));
    }
    left_out = explorer.left_out().otherwise.size();
    return outcomes;
}

bool gave_up(const Epoch& epoch) { return epoch.outcome->gave_up(); }

/// Each until it is complete; the first false answer of each changes something, no other one does.
RunRecord each_settles(const Interleaving& interleaving, std::int32_t ranks, std::uint32_t requests) {
    return each_tests(interleaving, ranks, requests, [](Epoch& epoch, const Decision* decision) {
        epoch.outcome->completed = {0};
        epoch.outcome->false_answers = 3;
        if (decision == nullptr) {
            epoch.repetition = replay::Repetition::settles;
            epoch.turns_after = epoch.round = 1;
        } else {
            epoch.outcome->false_answers = decision->outcome.false_answers;
        }
    });
}

TEST(MatchRelations, OfStretchesThatSettleBothFuturesAreExplored) {
    const auto explore = [](std::int32_t ranks, std::uint32_t requests, std::size_t& left_out) {
        return all_outcomes([&](const Interleaving& each) { return each_settles(each, ranks, requests); },
                            [](const Epoch& epoch) { return epoch.outcome->false_answers != 0; }, left_out)
            .size();
    };
    std::size_t left_out = 0;
    EXPECT_EQ(explore(1, 1, left_out), 2U);
    EXPECT_EQ(left_out, 0U);
    EXPECT_EQ(explore(2, 2, left_out), 16U) << "all of them together";
    EXPECT_EQ(left_out, 0U);
    EXPECT_EQ(explore(1, 6, left_out), 64U);
    EXPECT_EQ(left_out, 0U);
    EXPECT_EQ(explore(1, 7, left_out), 8U) << "many: one of them in a run";
    EXPECT_EQ(left_out, 6U) << "of all but the first";
}

/// Tests two requests in turn, and comes back to where it was after `turns_after` and two more false answers.
TEST(MatchRelations, AStretchThatSettlesIsExploredUpToTheEndOfTheRoundThatItRepeats) {
    for (const std::uint32_t turns_after : {1U, 2U}) {
        MatchRelations explorer({.explore_undecided_polls = true});
        std::multiset<std::uint32_t> answered_after;
        while (const auto interleaving = explorer.next()) {
            RunRecord record = each_settles(*interleaving, 1, 1);
            Epoch& epoch = record.epochs[0];
            const bool first = interleaving->decisions.empty();
            const std::uint32_t answers = first ? 2 * turns_after + 5 : epoch.outcome->false_answers;
            epoch.turns_after = first ? turns_after : 0;
            epoch.round = first ? 2 : 0;
            epoch.outcome->false_answers = answers;
            epoch.others.resize(1);
            epoch.others[0].kind = EpochKind::test;
            epoch.others[0].number = 1;
            epoch.others[0].before = 1;
            epoch.others[0].completable = epoch.completable;
            for (std::uint32_t call = 0; call <= answers; ++call) {
                epoch.polled.push_back(call % 2);
            }
            ASSERT_TRUE(replay::describe_by(epoch, answers % 2));
            epoch.outcome->poll = answers % 2;
            answered_after.insert(first ? turns_after + (answers - turns_after) % 2 : answers);
            EXPECT_FALSE(learn(explorer, *interleaving, record));
        }
        std::multiset<std::uint32_t> all;
        for (std::uint32_t count = 0; count < turns_after + 2; ++count) {
            all.insert(count);
        }
        EXPECT_EQ(answered_after, all);
        EXPECT_TRUE(explorer.left_out().otherwise.empty());
    }
}

TEST(MatchRelations, OfAStretchThatTurnsElsewhereBeforeItHasSettledSomeIsLeftOut) {
    MatchRelations explorer({.explore_undecided_polls = true});
    std::size_t runs = 0;
    while (const auto interleaving = explorer.next()) {
        RunRecord record = each_settles(*interleaving, 1, 1);
        if (interleaving->decisions.empty()) {
            record.epochs[0].turns_after = 2;
            record.epochs[0].outcome->false_answers = 1;
            record.epochs[0].outcome->completed.clear();
        }
        ++runs;
        EXPECT_FALSE(learn(explorer, *interleaving, record));
    }
    EXPECT_EQ(runs, 2U) << "it could have answered at once";
    EXPECT_EQ(explorer.left_out().otherwise.size(), 1U);
}

/// Each once.
RunRecord each_polls(const Interleaving& interleaving, std::int32_t ranks, std::uint32_t requests) {
    return each_tests(interleaving, ranks, requests, [](Epoch& epoch, const Decision* decision) {
        epoch.repetition = replay::Repetition::undecided;
        epoch.outcome->false_answers = decision == nullptr ? 0 : std::min(decision->outcome.false_answers, 1U);
        if (epoch.outcome->false_answers == 0) {
            epoch.outcome->completed = {0};
        }
    });
}

TEST(MatchRelations, OneStretchOfEachRankHasAdditionalAnswersInASmallProgram) {
    const auto explore = [](std::int32_t ranks, std::uint32_t requests, std::size_t& left_out) {
        return all_outcomes([&](const Interleaving& each) { return each_polls(each, ranks, requests); }, gave_up,
                            left_out);
    };
    std::size_t left_out = 0;
    EXPECT_EQ(explore(2, 1, left_out), (std::set<std::string>{"++", "+-", "-+", "--"}));
    EXPECT_EQ(left_out, 0U);
    EXPECT_EQ(explore(2, 2, left_out).size(), 9U) << "none or one of each rank";
    EXPECT_NE(left_out, 0U);
    // Of 2^12 outcomes; 13 with one stretch in a run.
    EXPECT_LT(explore(12, 1, left_out).size(), 300U);
    EXPECT_NE(left_out, 0U);
}

TEST(MatchRelations, WhereItIsKnownWhenTheyGiveUpAllStretchesAreExploredTogether) {
    const auto run = [](const Interleaving& interleaving, std::uint32_t requests) {
        RunRecord record = each_polls(interleaving, 2, requests);
        for (Epoch& epoch : record.epochs) {
            if (find(interleaving.decisions, epoch.id) == nullptr) {
                epoch.repetition = replay::Repetition::gives_up;
                epoch.turns_after = 1;
            } else {
                epoch.repetition = replay::Repetition::not_tried;
            }
        }
        return record;
    };
    const auto explore = [&](std::uint32_t requests, std::size_t& left_out) {
        return all_outcomes([&](const Interleaving& each) { return run(each, requests); }, gave_up, left_out).size();
    };
    std::size_t left_out = 0;
    EXPECT_EQ(explore(1, left_out), 4U);
    EXPECT_EQ(left_out, 0U);
    EXPECT_EQ(explore(3, left_out), 64U);
    EXPECT_EQ(left_out, 0U);
    EXPECT_LT(explore(4, left_out), 256U) << "too many";
    EXPECT_NE(left_out, 0U);
}

TEST(MatchRelations, ARunThatDoesNotFollowSpoilsNothingElse) {
    std::mt19937 random(6);
    MatchRelations explorer;
    std::set<std::string> outcomes;
    unsigned deviations = 0;
    while (const auto interleaving = explorer.next()) {
        RunRecord record;
        const Decision* first = find(interleaving->decisions, {0, 0});
        if (first != nullptr && first->outcome.source == 2) {
            record.epochs.emplace_back();  // never matches
        } else {
            receive_all(record, *interleaving, random, 0, {{1, 1}, {2, 1}, {3, 1}});
        }
        if (const auto deviation = learn(explorer, *interleaving, record)) {
            ++deviations;
            EXPECT_EQ(deviation->epoch, (EpochId{0, 0}));
        } else {
            outcomes.insert(text(record));
        }
        ASSERT_LT(outcomes.size() + deviations, 20U);
    }
    EXPECT_GE(deviations, 1U);
    EXPECT_GE(outcomes.size(), 4U);
}

// ---- deviations ------------------------------------------------------------------------------------------

RunRecord one_receive(std::optional<Outcome> outcome) {
    RunRecord record;
    Epoch& epoch = record.epochs.emplace_back();
    epoch.id = {1, 0};
    epoch.comm = 1;
    epoch.tag = 5;
    epoch.outcome = std::move(outcome);
    return record;
}

const Outcome from_two{.source = 2, .tag = 5, .number = 3, .completed = {}};
const Decision take_from_two{.epoch = {1, 0}, .kind = EpochKind::receive, .comm = 1, .tag = 5, .outcome = from_two};

TEST(Deviation, WhatARankDidOtherwiseComesBeforeWhatOthersThenNeverCameTo) {
    RunRecord record;
    Epoch never;
    never.id = {0, 0};
    never.forced = true;
    Epoch late;
    late.id = {1, 0};
    late.outcome = Outcome{.source = 0};
    late.posted.vector.add(2, 0);
    Epoch early;
    early.id = {2, 0};
    early.outcome = Outcome{.source = 0};
    record.epochs = {never, late, early};
    const auto decided = [](Rank rank, std::uint32_t index) {
        return Decision{.epoch = {rank, index}, .outcome = Outcome{.source = 3}};
    };
    std::vector<Decision> decisions{decided(0, 0), decided(0, 1), decided(1, 0), decided(2, 0)};
    EXPECT_EQ(first_deviation(record, decisions)->epoch, (EpochId{2, 0})) << "nothing had happened before it";
    decisions.pop_back();
    EXPECT_EQ(first_deviation(record, decisions)->epoch, (EpochId{1, 0}));
    decisions.pop_back();
    EXPECT_EQ(first_deviation(record, decisions)->epoch, (EpochId{0, 0})) << "what was reached comes first";
}

TEST(FirstDeviation, ARunThatFollowsHasNone) {
    EXPECT_FALSE(first_deviation(one_receive(from_two), {take_from_two}));
    EXPECT_FALSE(first_deviation(one_receive(from_two), {}));
}

TEST(FirstDeviation, NamesTheFirstDifference) {
    EXPECT_NE(first_deviation(RunRecord{}, {take_from_two})->text.find("never reached"), std::string::npos);
    EXPECT_NE(first_deviation(one_receive(std::nullopt), {take_from_two})->text.find("never came"), std::string::npos);
    Outcome other = from_two;
    other.source = 0;
    EXPECT_NE(first_deviation(one_receive(other), {take_from_two})->text.find("another outcome"), std::string::npos);
    other = from_two;
    other.number = 4;
    EXPECT_NE(first_deviation(one_receive(other), {take_from_two})->text.find("message 4"), std::string::npos);
    Decision probe = take_from_two;
    probe.kind = EpochKind::probe;
    EXPECT_NE(first_deviation(one_receive(from_two), {probe})->text.find("receive and not probe"), std::string::npos);
    RunRecord diverged = one_receive(from_two);
    diverged.diverged = true;
    EXPECT_TRUE(first_deviation(diverged, {take_from_two}));
}

TEST(FirstDeviation, AForcedReceiveThatFailsInAViolationFollows) {
    RunRecord record = one_receive(std::nullopt);
    record.epochs[0].forced = true;
    EXPECT_TRUE(first_deviation(record, {take_from_two}));
    record.violations.emplace_back();
    EXPECT_FALSE(first_deviation(record, {take_from_two}));
}

TEST(SingleInterleaving, IsHandedOutOnce) {
    SingleInterleaving explorer({.number = 1, .decisions = {take_from_two}});
    ASSERT_TRUE(explorer.next());
    EXPECT_FALSE(learn(explorer, {.number = 1, .decisions = {}}, one_receive(from_two)));
    EXPECT_FALSE(explorer.next());
}

/// Epochs that could only have come to what they did.
void receive_in_order(RunRecord& record, Rank rank, std::uint32_t count, clocks::Clock& clock) {
    for (std::uint32_t index = 0; index < count; ++index) {
        Epoch epoch;
        epoch.id = {rank, index};
        epoch.posted = clock;
        epoch.past = clock;
        epoch.outcome = Outcome{.source = 7, .tag = 0, .number = index, .completed = {}};
        clock.vector.add(rank, index);
        record.epochs.push_back(std::move(epoch));
    }
}

std::uint64_t left_out_otherwise(const LeftOutAlternatives& left) {
    std::uint64_t sum = 0;
    for (const auto& [what, count] : left.otherwise) {
        sum += count;
    }
    return sum;
}

TEST(MatchRelations, StepsBehindTheLastAlternativeAreNotKept) {
    RunRecord record;
    std::mt19937 random(1);
    const Interleaving first{.number = 1, .decisions = {}};
    receive_all(record, first, random, 0, {{1, 1}, {2, 1}});
    clocks::Clock clock;
    clock.vector.add(0, 0);
    clock.vector.add(0, 1);
    receive_in_order(record, 3, 5000, clock);
    MatchRelations explorer;
    ASSERT_TRUE(explorer.next());
    const Lesson lesson = explorer.learn(1, record, {}).value();
    EXPECT_EQ(lesson.steps.size(), 1U);
    EXPECT_EQ(lesson.bounds.size(), 1U);
    ASSERT_EQ(lesson.found.size(), 1U);
    explorer.apply(lesson);
    EXPECT_EQ(explorer.next()->decisions.size(), 1U);
}

TEST(MatchRelations, OfARunWhoseAlternativesNeedTooMuchTheFirstAreKeptAndTheOthersCounted) {
    // Each of rank 1's receives could have taken a message that is sent after all of those of rank 0.
    constexpr std::uint32_t count = 600;
    RunRecord record;
    clocks::Clock others;
    receive_in_order(record, 0, count, others);
    clocks::Clock own;
    receive_in_order(record, 1, count, own);
    for (std::uint32_t index = 0; index < count; ++index) {
        Epoch& epoch = record.epochs[count + index];
        clocks::Clock past = epoch.posted;
        past.merge(others);
        epoch.potential_matches.push_back({.source = 5, .tag = 0, .number = index, .past = std::move(past)});
    }
    MatchRelations explorer;
    ASSERT_TRUE(explorer.next());
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(explorer.learn(1, record, stop.get_token()));
    const Lesson lesson = explorer.learn(1, record, {}).value();
    std::size_t needed = 0;
    for (const Lesson::Found& found : lesson.found) {
        needed += 1 + found.alternative.needs.size();
    }
    EXPECT_LE(needed, MatchRelations::most_needed_of_run + count + 1);
    EXPECT_GE(lesson.found.size(), 90U);
    EXPECT_EQ(lesson.found.size() + left_out_otherwise(lesson.left_out), count);
    explorer.apply(lesson);
    EXPECT_EQ(explorer.pending(), lesson.found.size());
    EXPECT_EQ(left_out_otherwise(explorer.left_out()), count - lesson.found.size());
    const auto next = explorer.next();
    ASSERT_TRUE(next) << "and those that are kept are run";
    const auto diverged = explorer.learn(next->number, RunRecord{}, stop.get_token());
    ASSERT_TRUE(diverged);
    EXPECT_TRUE(diverged->deviation);
}

TEST(MatchRelations, WhatIsKeptInAllIsBounded) {
    constexpr std::uint32_t count = 400;
    std::mt19937 random(1);
    MatchRelations explorer({.order = heuristics::Order::breadth_first, .most_kept = 1000});
    std::size_t runs = 0;
    while (const auto interleaving = explorer.next()) {
        RunRecord record;
        clocks::Clock clock;
        receive_in_order(record, 0, count, clock);
        receive_all(record, *interleaving, random, 1, {{2, 3}, {3, 3}}, clock);
        EXPECT_FALSE(learn(explorer, *interleaving, record));
        ++runs;
    }
    EXPECT_LT(runs, 20U) << "there are 20 outcomes";
    EXPECT_GT(runs, 4U);
    EXPECT_NE(left_out_otherwise(explorer.left_out()), 0U);
}

TEST(MatchRelations, WhoHasEndedInAStateOfNobodyGoesOnAlsoWhenLessonsAreRead) {
    std::mt19937 random(1);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same each time
    const auto run = [&](const Interleaving& interleaving) {
        RunRecord record;
        receive_all(record, interleaving, random, 0, {{1, 1}, {2, 1}});
        for (std::size_t i = 0; i < record.epochs.size(); ++i) {
            record.epochs[i].settled = static_cast<std::uint32_t>(i + 1);
        }
        record.may_be_met = true;
        record.unaware.emplace();
        return record;
    };
    MatchRelations explorer({.merge_states = true});
    std::vector<Lesson> lessons;
    const auto take_in = [&](const Interleaving& interleaving, const RunRecord& record) {
        lessons.push_back(explorer.learn(interleaving.number, record, {}).value());
        explorer.apply(lessons.back());
    };
    const auto first = explorer.next();
    ASSERT_TRUE(first);
    take_in(*first, run(*first));
    const auto second = explorer.next();
    ASSERT_TRUE(second);
    RunRecord ended = run(*second);
    ended.epochs.resize(1);
    ended.merged = replay::Merge{.run = 99, .settled = 1};  // it was interrupted, and is run again under another number
    ended.merged_open = true;
    take_in(*second, ended);
    const auto third = explorer.next();
    ASSERT_TRUE(third);
    EXPECT_EQ(third->decisions, second->decisions);
    EXPECT_EQ(third->given_up, (std::vector<replay::Merge>{{.run = 99, .settled = 1}}));
    take_in(*third, run(*third));
    EXPECT_FALSE(explorer.next());
    EXPECT_EQ(explorer.outcomes().at(0).outcomes, "2");

    MatchRelations resumed({.merge_states = true});
    for (const Lesson& lesson : lessons) {
        resumed.apply(lesson);
    }
    EXPECT_FALSE(resumed.next());
    EXPECT_EQ(resumed.outcomes().at(0).outcomes, "2");
}

}  // namespace
}  // namespace dampi::scheduler
