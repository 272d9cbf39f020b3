// Findings: the same violation in many interleavings is one, with the shortest reproducer.
#include "scheduler/sweep/findings.hpp"
#include "replay/pinned_outcomes.hpp"
#include "scheduler/sweep/aftermath.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using Kinds = std::vector<dampi::replay::ViolationKind>;

replay::Epoch epoch(replay::Rank rank, std::uint32_t index, std::optional<replay::Rank> source) {
    replay::Epoch made;
    made.id = {rank, index};
    made.comm = base::world_comm;
    made.tag = 7;
    if (source) {
        made.outcome = replay::Outcome{.source = *source, .tag = 7};
    }
    return made;
}

replay::Decision decision(replay::Rank rank, std::uint32_t index, replay::Rank source) {
    return {.epoch = {rank, index},
            .kind = replay::EpochKind::receive,
            .comm = base::world_comm,
            .tag = 7,
            .outcome = {.source = source, .tag = 7}};
}

replay::Violation violation(replay::ViolationKind kind, replay::Rank rank, const std::string& call = "MPI_Recv",
                            int line = 10, const std::string& message = "message") {
    replay::Violation made{kind, message, {rank}, {}};
    made.situations.push_back({rank, call, "source 1", {"/app", 0x40, "main", "app.c", line}});
    return made;
}

replay::RunRecord record(std::vector<replay::Violation> violations, std::vector<replay::Epoch> epochs = {}) {
    replay::RunRecord made;
    made.violations = std::move(violations);
    made.epochs = std::move(epochs);
    return made;
}

TEST(FormatOutcomes, SortsAndLeavesOutWhatNeverMatched) {
    EXPECT_EQ(format_outcomes({}, false), "{}");
    EXPECT_EQ(format_outcomes({epoch(1, 0, 2), epoch(0, 1, 2), epoch(0, 0, 1), epoch(0, 2, std::nullopt)}, true),
              "{0#0<-1 0#1<-2 1#0<-2}");
}

TEST(FormatOutcomes, ChoicesAndPollingCalls) {
    const auto choice = [](std::uint32_t index, replay::EpochKind kind, replay::Outcome outcome) {
        replay::Epoch made;
        made.id = {1, index};
        made.kind = kind;
        made.outcome = std::move(outcome);
        return made;
    };
    const std::vector<replay::Epoch> epochs{
        choice(0, replay::EpochKind::wait_any, {.completed = {2}}),
        choice(1, replay::EpochKind::test_some, {.completed = {0, 2}, .false_answers = 12}),
        choice(2, replay::EpochKind::test, {.false_answers = 1}),
        choice(3, replay::EpochKind::polling_probe, {.source = 0, .false_answers = 3}),
        choice(4, replay::EpochKind::polling_matched_probe, {}),
        choice(5, replay::EpochKind::cancel, {}),
        choice(6, replay::EpochKind::cancel, {.completed = {0}}),
    };
    EXPECT_EQ(format_outcomes(epochs, false), "{1#0=2 1#1=0+2 1#2=none 1#3<-0 1#4=none 1#5=none 1#6=0}");
    EXPECT_EQ(format_outcomes(epochs, true), "{1#0=2 1#1=0+2~12 1#2=none~1 1#3<-0~3 1#4=none 1#5=none 1#6=0}");
}

TEST(FormatOutcomes, LongOnesEndInADigest) {
    std::vector<replay::Epoch> epochs;
    for (std::uint32_t i = 0; i < 10'000; ++i) {
        epochs.push_back(epoch(0, i, 1));
    }
    const std::string one = format_outcomes(epochs, false);
    EXPECT_LE(one.size(), longest_outcomes + 30);
    EXPECT_TRUE(one.starts_with("{0#0<-1 0#1<-1 "));
    EXPECT_EQ(format_outcomes(epochs, false), one);
    epochs.back().outcome->source = 2;
    EXPECT_NE(format_outcomes(epochs, false), one) << "what differs only in what is left out is another outcome";
}

TEST(PinOutcomes, KeepsTheGivenDecisionsAndAddsTheRest) {
    const replay::Interleaving given{5, {decision(0, 1, 3)}};
    const auto pinned = replay::pin_outcomes(
        given, record({}, {epoch(0, 0, 1), epoch(0, 1, 2), epoch(1, 0, 0), epoch(1, 1, std::nullopt)}));
    EXPECT_EQ(pinned.number, 5U);
    EXPECT_EQ(pinned.decisions,
              (std::vector<replay::Decision>{decision(0, 0, 1), decision(0, 1, 3), decision(1, 0, 0)}));
}

TEST(PinOutcomes, WhatWasLeftOpenGetsTheWholeOutcome) {
    replay::Epoch test;
    test.id = {0, 0};
    test.kind = replay::EpochKind::test_any;
    test.outcome = replay::Outcome{.completed = {1}, .false_answers = 2};
    const replay::Decision open{.epoch = {0, 0},
                                .kind = replay::EpochKind::test_any,
                                .outcome = {.false_answers = 2},
                                .open = true,
                                .additional = 1};
    replay::Decision whole = open;
    whole.open = false;
    whole.outcome.completed = {1};
    EXPECT_EQ(replay::pin_outcomes({3, {open}}, record({}, {test})).decisions, std::vector{whole});
    test.outcome.reset();
    EXPECT_EQ(replay::pin_outcomes({3, {open}}, record({}, {test})).decisions, std::vector{open});
}

TEST(PinOutcomes, WhatNamesNoMessageGetsTheOneThatCame) {
    replay::Decision any = decision(0, 1, 3);
    any.outcome.number = replay::any_message;
    const auto pinned = replay::pin_outcomes({5, {any}}, record({}, {epoch(0, 1, 3)}));
    EXPECT_EQ(pinned.decisions, std::vector{decision(0, 1, 3)});
}

/// Lets the collector look at an interleaving and take in what it saw. The kinds of violations that it shows.
Kinds add(FindingCollector& collector, const replay::Interleaving& interleaving, const replay::RunRecord& run) {
    Kinds kinds;
    collector.apply(interleaving.number, interleaving.buffering, collector.look(interleaving, run, kinds));
    return kinds;
}

TEST(FindingCollector, DivergencesThatDifferOnlyInNumbersAreOneDoubt) {
    FindingCollector collector;
    for (std::uint64_t number = 1; number <= 20; ++number) {
        replay::RunRecord run = record({{replay::ViolationKind::divergence,
                                         "operation " + std::to_string(number * 7) + " of rank 0 was never reached",
                                         {0},
                                         {}}});
        run.diverged = true;
        add(collector, {number, {}}, run);
    }
    ASSERT_EQ(collector.doubts().size(), 1U);
    EXPECT_EQ(collector.doubts()[0].count, 20U);
}

/// A run in which epoch 0#0 has met rank 1, and would have shown a violation had it met rank 2.
replay::RunRecord foreseeing() {
    replay::RunRecord run = record({}, {epoch(0, 0, 1), epoch(0, 1, 2), epoch(3, 0, 4), epoch(3, 1, 4)});
    run.epochs[0].potential_matches.push_back({.source = 2, .tag = 7, .number = 0});
    run.epochs[3].past.vector.add(0, 0);  // it has come after that
    run.foreseen.push_back({.violation = violation(replay::ViolationKind::type_message, 0),
                            .epoch = {0, 0},
                            .outcome = {.source = 2, .tag = 7}});
    return run;
}

TEST(FindingCollector, WhatIsForeseenHasTheDecisionsThatLeadThere) {
    FindingCollector collector;
    EXPECT_EQ(add(collector, {1, {}}, foreseeing()), Kinds{}) << "the run itself is clean";
    ASSERT_EQ(collector.count(), 1U);
    const Finding finding = collector.findings().front();
    EXPECT_TRUE(finding.foreseen);
    EXPECT_EQ(finding.count, 0U);
    EXPECT_EQ(finding.reproducer.decisions, (std::vector{decision(0, 0, 2), decision(3, 0, 4)}))
        << "neither what follows in the rank nor what came after";
    ASSERT_EQ(finding.epochs.size(), 2U);
    EXPECT_EQ(finding.epochs[0].outcome->source, 2);
    ASSERT_EQ(finding.epochs[0].potential_matches.size(), 1U);
    EXPECT_EQ(finding.epochs[0].potential_matches[0].source, 1);
}

TEST(FindingCollector, ARunThatShowsWhatWasForeseenTakesItsPlace) {
    FindingCollector collector;
    add(collector, {1, {}}, foreseeing());
    add(collector, {2, {decision(0, 0, 2), decision(0, 1, 1)}},
        record({violation(replay::ViolationKind::type_message, 0)}, {epoch(0, 0, 2), epoch(0, 1, 1)}));
    add(collector, {3, {}}, foreseeing());
    ASSERT_EQ(collector.count(), 1U);
    const Finding finding = collector.findings().front();
    EXPECT_FALSE(finding.foreseen);
    EXPECT_EQ(finding.count, 1U);
    EXPECT_EQ(finding.first_interleaving, 2U);
    EXPECT_EQ(finding.reproducer.number, 2U);
}

TEST(FindingCollector, WhatCannotBeBroughtAboutIsNoFinding) {
    FindingCollector collector;
    add(collector, {1, {}}, foreseeing());
    replay::RunRecord vain = record({violation(replay::ViolationKind::imprecise_match, 0)});
    vain.diverged = true;
    add(collector, {2, {decision(1, 0, 2)}}, vain);
    EXPECT_EQ(collector.count(), 1U) << "it was another outcome that could not be";
    add(collector, {3, {decision(0, 0, 2)}}, vain);
    EXPECT_EQ(collector.count(), 0U);
    add(collector, {4, {}}, foreseeing());
    EXPECT_EQ(collector.count(), 0U);
    replay::RunRecord diverged = foreseeing();
    diverged.diverged = true;
    FindingCollector other;
    add(other, {1, {}}, diverged);
    EXPECT_EQ(other.count(), 0U) << "nothing may be concluded from such a run";
}

TEST(FindingCollector, OfVeryManyEpochsThoseWithAChoiceAreKept) {
    std::vector<replay::Epoch> epochs;
    for (std::uint32_t i = 0; i < most_shown_epochs + 5; ++i) {
        epochs.push_back(epoch(0, i, 1));
    }
    epochs.push_back(epoch(1, 0, 2));
    epochs.back().potential_matches.push_back({.source = 3, .tag = 7, .number = 0});
    FindingCollector collector;
    add(collector, {1, {}}, record({violation(replay::ViolationKind::crash, 0)}, epochs));
    const Finding finding = collector.findings().front();
    EXPECT_EQ(finding.epochs.size(), most_shown_epochs);
    EXPECT_EQ(finding.epochs_omitted, 6U);
    EXPECT_EQ(finding.epochs.back().id, (replay::EpochId{1, 0}));
    EXPECT_EQ(finding.reproducer.decisions.size(), epochs.size()) << "they are all needed to repeat it";
}

TEST(FindingCollector, TheSameViolationIsOneFinding) {
    FindingCollector collector;
    EXPECT_EQ(add(collector, {1, {decision(0, 0, 1), decision(0, 1, 1)}},
                  record({violation(replay::ViolationKind::deadlock, 0, "MPI_Recv", 10, "long")}, {epoch(0, 0, 1)})),
              Kinds{replay::ViolationKind::deadlock});
    EXPECT_EQ(add(collector, {2, {}}, record({}, {epoch(0, 0, 2)})), Kinds{});
    add(collector, {3, {decision(0, 0, 2)}},
        record({violation(replay::ViolationKind::deadlock, 0, "MPI_Recv", 10, "short")},
               {epoch(0, 0, 2), epoch(0, 1, 3)}));
    ASSERT_EQ(collector.count(), 1U);
    const Finding finding = collector.findings().front();
    EXPECT_EQ(finding.count, 2U);
    EXPECT_EQ(finding.first_interleaving, 1U);
    EXPECT_EQ(finding.reproducer.number, 3U);
    EXPECT_EQ(finding.reproducer.decisions, (std::vector{decision(0, 0, 2), decision(0, 1, 3)}));
    EXPECT_EQ(finding.violation.message, "short");
    EXPECT_EQ(finding.epochs.size(), 2U);
}

TEST(FindingCollector, AViolationOfTheSelfRunCanBeRepeated) {
    FindingCollector collector;
    add(collector, {1, {}}, record({violation(replay::ViolationKind::crash, 0)}, {epoch(0, 0, 2)}));
    EXPECT_EQ(collector.findings().front().reproducer.decisions, std::vector{decision(0, 0, 2)});
}

TEST(FindingCollector, OrderOfArrivalDoesNotMatter) {
    const replay::Interleaving second{2, {decision(0, 0, 1)}};
    const replay::Interleaving ninth{9, {decision(0, 0, 2)}};
    for (const bool turned : {false, true}) {
        FindingCollector collector;
        add(collector, turned ? ninth : second, record({violation(replay::ViolationKind::crash, 1)}));
        add(collector, turned ? second : ninth, record({violation(replay::ViolationKind::crash, 1)}));
        const Finding finding = collector.findings().front();
        EXPECT_EQ(finding.first_interleaving, 2U);
        EXPECT_EQ(finding.reproducer.number, 2U);
        EXPECT_EQ(finding.count, 2U);
    }
}

TEST(FindingCollector, TheSameViolationUnderSeveralModesOfBufferingIsOneFinding) {
    using replay::Buffering;
    const replay::Interleaving native{.number = 2, .decisions = {decision(0, 0, 1)}};
    const replay::Interleaving zero{.number = 4, .decisions = {}, .buffering = Buffering::zero};
    const replay::Interleaving infinite{.number = 9, .decisions = {}, .buffering = Buffering::infinite};
    for (const auto& order : {std::vector{native, zero, infinite}, std::vector{infinite, zero, native}}) {
        FindingCollector collector;
        for (const replay::Interleaving& run : order) {
            add(collector, run, record({violation(replay::ViolationKind::deadlock, 1)}));
        }
        add(collector, {.number = 10, .decisions = {}, .buffering = Buffering::infinite},
            record({violation(replay::ViolationKind::deadlock, 1), violation(replay::ViolationKind::crash, 0)}));
        ASSERT_EQ(collector.count(), 2U);
        const Finding deadlock = collector.findings()[0];
        EXPECT_EQ(deadlock.buffering, (std::vector{Buffering::native, Buffering::zero, Buffering::infinite}));
        EXPECT_EQ(deadlock.count, 4U);
        EXPECT_EQ(deadlock.reproducer.number, 2U) << "the first mode's, though others have fewer decisions";
        EXPECT_EQ(deadlock.reproducer.buffering, Buffering::native);
        const Finding crash = collector.findings()[1];
        EXPECT_EQ(crash.buffering, std::vector{Buffering::infinite});
        EXPECT_EQ(crash.reproducer.buffering, Buffering::infinite);
    }
}

TEST(FindingCollector, KindCallAndPlaceTellCausesApartAndRanksDoNot) {
    FindingCollector collector;
    add(collector, {1, {}},
        record({violation(replay::ViolationKind::deadlock, 0), violation(replay::ViolationKind::crash, 0),
                violation(replay::ViolationKind::deadlock, 1),
                violation(replay::ViolationKind::deadlock, 0, "MPI_Probe"),
                violation(replay::ViolationKind::deadlock, 0, "MPI_Recv", 11)}));
    EXPECT_EQ(collector.count(), 4U);
}

TEST(FindingCollector, AFindingKnowsItsRanksInAllInterleavings) {
    for (const bool turned : {false, true}) {
        FindingCollector collector;
        add(collector, {turned ? 2U : 1U, {}}, record({violation(replay::ViolationKind::crash, turned ? 2 : 0)}));
        add(collector, {turned ? 1U : 2U, {}}, record({violation(replay::ViolationKind::crash, turned ? 0 : 2)}));
        ASSERT_EQ(collector.count(), 1U);
        const Finding finding = collector.findings().front();
        EXPECT_EQ(finding.violation.ranks, std::vector<replay::Rank>{0}) << "the run that is shown";
        EXPECT_EQ(finding.all_ranks, (std::vector<replay::Rank>{0, 2}));
        EXPECT_EQ(finding.count, 2U);
    }
}

TEST(FindingCollector, TwiceInOneRunIsOneInterleaving) {
    FindingCollector collector;
    EXPECT_EQ(add(collector, {1, {}},
                  record({violation(replay::ViolationKind::leak_request, 0),
                          violation(replay::ViolationKind::leak_request, 0)})),
              Kinds{replay::ViolationKind::leak_request});
    EXPECT_EQ(collector.findings().front().count, 1U);
}

TEST(FindingCollector, WithoutAPlaceTheMessageTellsApart) {
    FindingCollector collector;
    const replay::Violation three{replay::ViolationKind::exit, "rank 0 exited with status 3", {0}, {}};
    const replay::Violation four{replay::ViolationKind::exit, "rank 0 exited with status 4", {0}, {}};
    add(collector, {1, {}}, record({three}));
    add(collector, {2, {}}, record({four}));
    add(collector, {3, {}}, record({three}));
    ASSERT_EQ(collector.count(), 2U);
    EXPECT_EQ(collector.findings()[0].count, 2U);
    EXPECT_EQ(collector.findings()[1].first_interleaving, 2U);
}

TEST(FindingCollector, DoubtsAndNotesAreNotFindings) {
    FindingCollector collector;
    replay::RunRecord run = record({violation(replay::ViolationKind::imprecise_match, 0)}, {epoch(0, 0, 2)});
    run.notes.push_back(violation(replay::ViolationKind::leak_message, 1));
    EXPECT_EQ(add(collector, {4, {decision(0, 0, 2)}}, run), Kinds{replay::ViolationKind::imprecise_match});
    EXPECT_EQ(collector.count(), 0U);
    ASSERT_EQ(collector.doubts().size(), 1U);
    EXPECT_EQ(collector.doubts()[0].violation.kind, replay::ViolationKind::imprecise_match);
    ASSERT_EQ(collector.notes().size(), 1U);
    EXPECT_EQ(collector.notes()[0].violation.kind, replay::ViolationKind::leak_message);
}

TEST(FindingCollector, ALivelockThatIsNotCertainIsADoubt) {
    FindingCollector collector;
    EXPECT_EQ(add(collector, {1, {}}, record({violation(replay::ViolationKind::possible_livelock, 0)})),
              Kinds{replay::ViolationKind::possible_livelock});
    EXPECT_EQ(collector.count(), 0U);
    EXPECT_EQ(collector.doubts().size(), 1U);
}

TEST(FindingCollector, ADivergedRunShowsNoDeadlock) {
    FindingCollector collector;
    replay::RunRecord run = record(
        {violation(replay::ViolationKind::deadlock, 0), violation(replay::ViolationKind::crash, 1)}, {epoch(0, 0, 2)});
    run.diverged = true;
    const replay::Interleaving given{4, {decision(0, 1, 2)}};
    EXPECT_EQ(add(collector, given, run), (Kinds{replay::ViolationKind::crash, replay::ViolationKind::divergence}));
    ASSERT_EQ(collector.count(), 1U);
    EXPECT_EQ(collector.findings()[0].violation.kind, replay::ViolationKind::crash);
    ASSERT_EQ(collector.doubts().size(), 1U);
    EXPECT_EQ(collector.doubts()[0].reproducer.decisions, given.decisions);  // as given: not pinned

    run.violations = {violation(replay::ViolationKind::divergence, 0)};
    EXPECT_EQ(add(collector, {5, {}}, run), Kinds{replay::ViolationKind::divergence});
    EXPECT_EQ(collector.doubts().size(), 2U);
}

TEST(FindingCollector, FindingsComeInOrderOfTheirFirstInterleaving) {
    FindingCollector collector;
    add(collector, {2, {}}, record({violation(replay::ViolationKind::abort, 0)}));
    add(collector, {1, {}}, record({violation(replay::ViolationKind::crash, 0)}));
    EXPECT_EQ(collector.findings()[0].violation.kind, replay::ViolationKind::crash);
    EXPECT_EQ(collector.findings()[1].violation.kind, replay::ViolationKind::abort);
}

TEST(FindingCollector, WhatARankDoesWithUndefinedDataComesAfterIt) {
    using Kind = replay::ViolationKind;
    const replay::Violation cause = violation(Kind::buffer_overlap, 1, "MPI_Alltoall", 10);
    const replay::Violation abort = violation(Kind::abort, 1, "MPI_Abort", 20);
    FindingCollector collector;
    add(collector, {1, {}}, record({abort, violation(Kind::crash, 0, "", 30), cause}));
    std::vector<Finding> findings = collector.findings();
    ASSERT_EQ(findings.size(), 3U);
    EXPECT_EQ(findings[0].violation.kind, Kind::buffer_overlap) << "which is no crash of another rank";
    EXPECT_EQ(findings[1].violation.kind, Kind::crash);
    EXPECT_TRUE(comes_after(findings, findings[1]).empty());
    EXPECT_EQ(findings[2].violation.kind, Kind::abort);
    EXPECT_EQ(comes_after(findings, findings[2]), std::vector<std::size_t>{0});
    EXPECT_TRUE(comes_after(findings, findings[0]).empty());

    add(collector, {2, {}}, record({abort, cause}));
    findings = collector.findings();
    EXPECT_EQ(comes_after(findings, findings[2]), std::vector<std::size_t>{0});
    findings[0].violation.situations.front().where.line = 40;  // a caller's
    EXPECT_EQ(comes_after(findings, findings[2]), std::vector<std::size_t>{0});

    add(collector, {3, {}}, record({abort}));
    findings = collector.findings();
    EXPECT_TRUE(std::all_of(findings.begin(), findings.end(), [&](const Finding& each) {
        return comes_after(findings, each).empty();
    })) << "a run has shown it without";
}

TEST(FindingCollector, OnlyWhatEachOfTheRanksHadAPartInComesBefore) {
    using Kind = replay::ViolationKind;
    const auto after = [](const std::vector<replay::Violation>& violations) { return aftermath_of(violations).size(); };
    replay::Violation crash = violation(Kind::crash, 1, "", 20);
    crash.ranks = {1, 2};
    replay::Violation mismatch = violation(Kind::collective_mismatch, 1, "MPI_Bcast", 10);
    EXPECT_EQ(after({mismatch, crash}), 0U);
    mismatch.ranks = {1, 2};
    EXPECT_EQ(after({mismatch, crash}), 1U);
    EXPECT_EQ(after({mismatch, violation(Kind::exit, 2, "exit", 20)}), 1U);
    EXPECT_EQ(after({mismatch, violation(Kind::deadlock, 2)}), 0U);
    EXPECT_EQ(after({violation(Kind::leak_request, 2), violation(Kind::exit, 2, "exit", 20)}), 0U);
    EXPECT_EQ(after({violation(Kind::buffer_unwatched, 2), violation(Kind::exit, 2, "exit", 20)}), 0U) << "a warning";

    replay::Violation types = violation(Kind::type_message, 1, "receive", 10);
    types.ranks = {1, 2};
    types.situations.push_back({2, "send", "", {"/app", 0x40, "main", "app.c", 11}});
    EXPECT_EQ(after({types, violation(Kind::crash, 1, "", 20)}), 1U);
    EXPECT_EQ(after({types, violation(Kind::crash, 2, "", 20)}), 0U) << "the sender's data are what they were";
}

}  // namespace
}  // namespace dampi::scheduler
