// Which choices a finding needs: of a program whose outcome is a function of its decisions.
#include "scheduler/sweep/needed_choices.hpp"

#include <functional>
#include <map>

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

using Choices = std::map<std::uint32_t, replay::Rank>;  ///< what each receive of rank 0 takes

constexpr std::uint32_t receives = 8;

replay::Decision decision(std::uint32_t index, replay::Rank source) {
    return {.epoch = {0, index}, .comm = base::world_comm, .outcome = {.source = source, .tag = 0, .number = 0}};
}

replay::Violation deadlock() {
    return {.kind = replay::ViolationKind::deadlock, .message = "stuck", .ranks = {0}, .situations = {}};
}

/// A run takes what is decided, and elsewhere what the seed says.
Choices choices_of(const replay::Interleaving& interleaving) {
    Choices choices;
    for (std::uint32_t i = 0; i < receives; ++i) {
        choices[i] = 1 + static_cast<replay::Rank>((interleaving.free_seed + i) % 3);
    }
    for (const replay::Decision& each : interleaving.decisions) {
        choices[each.epoch.index] = each.outcome.source;
    }
    return choices;
}

using Shows = std::function<bool(const Choices&)>;

SweepResult result_of(const Choices& choices, const Shows& shows) {
    SweepResult result;
    result.explored = 1;
    if (shows(choices)) {
        result.findings.push_back({.violation = deadlock(), .count = 1, .reproducer = {}});
    }
    return result;
}

/// What a sweep says that has shown it with these choices; receive 5 has no alternative.
SweepResult sweep(const Choices& failing) {
    SweepResult result;
    result.explored = 2;
    Finding finding;
    finding.violation = deadlock();
    finding.count = 1;
    for (const auto& [index, source] : failing) {
        finding.reproducer.decisions.push_back(decision(index, source));
        replay::Epoch epoch;
        epoch.id = {0, index};
        epoch.outcome = replay::Outcome{.source = source, .tag = 0, .number = 0};
        if (index != 5) {
            epoch.potential_matches = {{.source = source % 3 + 1, .tag = 0, .number = 0}};
        }
        finding.epochs.push_back(epoch);
    }
    result.findings.push_back(std::move(finding));
    return result;
}

Choices all(replay::Rank source) {
    Choices choices;
    for (std::uint32_t i = 0; i < receives; ++i) {
        choices[i] = source;
    }
    return choices;
}

struct Looked {
    std::optional<NeededChoices> needed;
    std::vector<std::uint32_t> indexes;
    std::uint64_t runs = 0;
};

Looked look(SweepResult result, const Shows& shows, std::uint64_t most_runs = 300) {
    Looked looked;
    look_for_needed_choices(result, {.run =
                                         [&](const replay::Interleaving& interleaving) {
                                             ++looked.runs;
                                             return result_of(choices_of(interleaving), shows);
                                         },
                                     .go_on = [] { return true; },
                                     .most_runs = most_runs});
    looked.needed = result.findings.front().needed;
    if (looked.needed) {
        for (const replay::Decision& each : looked.needed->decisions) {
            looked.indexes.push_back(each.epoch.index);
        }
    }
    return looked;
}

TEST(NeededChoices, AreThoseThatTheFindingDependsOn) {
    const Shows shows = [](const Choices& choices) { return choices.at(2) == 2 && choices.at(6) == 2; };
    const Looked looked = look(sweep(all(2)), shows);
    ASSERT_TRUE(looked.needed);
    EXPECT_EQ(looked.indexes, (std::vector<std::uint32_t>{2, 6}));
    EXPECT_TRUE(looked.needed->all_tried);
    EXPECT_EQ(looked.needed->runs, looked.runs);
    const Looked always = look(sweep(all(2)), [](const Choices&) { return true; });
    ASSERT_TRUE(always.needed);
    EXPECT_TRUE(always.indexes.empty());
    EXPECT_LE(always.runs, 5U);
}

TEST(NeededChoices, WhatASweepHasSeenPassIsNotEnough) {
    // Chance always brings what is needed of receive 3; only the sweep knows of another run.
    const Shows shows = [](const Choices&) { return true; };
    SweepResult result = sweep(all(2));
    std::string text = "{";
    for (std::uint32_t i = 0; i < receives; ++i) {
        text += (i == 0 ? "0#" : " 0#") + std::to_string(i) + (i == 3 ? "<-1~7" : "<-2~7");
    }
    result.interleavings.push_back({.number = 2, .outcomes = text + "}", .verdicts = {}});
    EXPECT_EQ(look(result, shows).indexes, std::vector<std::uint32_t>{3});
    // One that has merged, is in doubt, shows it, or is of another mode says nothing.
    const std::vector<std::uint32_t> none;
    SweepResult other = result;
    other.interleavings.front().merged = true;
    EXPECT_EQ(look(other, shows).indexes, none);
    other = result;
    other.interleavings.front().verdicts = {replay::ViolationKind::divergence};
    EXPECT_EQ(look(other, shows).indexes, none);
    other.interleavings.front().verdicts = {replay::ViolationKind::deadlock};
    EXPECT_EQ(look(other, shows).indexes, none);
    other = result;
    other.interleavings.front().buffering = replay::Buffering::zero;
    EXPECT_EQ(look(other, shows).indexes, none);
    // A kind that it shows is not this one.
    other = result;
    other.interleavings.front().verdicts = {replay::ViolationKind::crash};
    EXPECT_EQ(look(other, shows).indexes, std::vector<std::uint32_t>{3});
}

TEST(NeededChoices, NothingIsSaidOfWhatDoesNotShowAgain) {
    const Shows never = [](const Choices&) { return false; };
    EXPECT_FALSE(look(sweep(all(2)), never).needed);
    SweepResult foreseen = sweep(all(2));
    foreseen.findings.front().foreseen = true;
    EXPECT_FALSE(look(foreseen, [](const Choices&) { return true; }).needed);
    EXPECT_FALSE(look(
                     sweep(all(2)), [](const Choices&) { return true; }, 0)
                     .needed)
        << "no time at all";
}

TEST(NeededChoices, ADifferentCauseIsNotTheFinding) {
    SweepResult result = sweep(all(2));
    look_for_needed_choices(result, {.run =
                                         [](const replay::Interleaving& interleaving) {
                                             SweepResult one;
                                             one.explored = 1;
                                             replay::Violation found = deadlock();
                                             found.message = interleaving.decisions.size() == receives ? "stuck" : "x";
                                             one.findings.push_back({.violation = found, .reproducer = {}});
                                             return one;
                                         },
                                     .go_on = [] { return true; }});
    ASSERT_TRUE(result.findings.front().needed);
    EXPECT_EQ(result.findings.front().needed->decisions.size(), receives);
}

TEST(NeededChoices, WhereTheBudgetEndsItIsSaid) {
    const Shows shows = [](const Choices& choices) { return choices.at(2) == 2 && choices.at(6) == 2; };
    for (std::uint64_t most = 1; most < 40; ++most) {
        const Looked looked = look(sweep(all(2)), shows, most);
        ASSERT_TRUE(looked.needed);
        EXPECT_LE(looked.runs, most);
        // Whatever is left out, it was seen to show without it.
        Choices kept;
        for (const replay::Decision& each : looked.needed->decisions) {
            kept[each.epoch.index] = each.outcome.source;
        }
        EXPECT_TRUE(kept.contains(2) && kept.contains(6));
        EXPECT_TRUE(!looked.needed->all_tried || kept.size() == 2);
    }
}

/// A complete sweep of two receives of rank 0, of ranks 1 and 2 in any order and number.
SweepResult complete_sweep(const Shows& shows, replay::ViolationKind kind) {
    SweepResult result;
    for (const Choices& choices :
         {Choices{{0, 1}, {1, 1}}, Choices{{0, 1}, {1, 2}}, Choices{{0, 2}, {1, 1}}, Choices{{0, 2}, {1, 2}}}) {
        InterleavingOutcome& each = result.interleavings.emplace_back();
        each.number = ++result.explored;
        each.outcomes = "{0#0<-" + std::to_string(choices.at(0)) + " 0#1<-" + std::to_string(choices.at(1)) + "}";
        if (!shows(choices)) {
            continue;
        }
        each.verdicts = {kind};
        if (result.findings.empty()) {
            Finding finding;
            finding.violation.kind = kind;
            for (std::uint32_t index = 0; index < 2; ++index) {
                finding.reproducer.decisions.push_back(
                    {.epoch = {0, index}, .outcome = {.source = choices.at(index), .tag = 0}});
                replay::Epoch epoch;
                epoch.id = {0, index};
                epoch.outcome = replay::Outcome{.source = choices.at(index), .tag = 0};
                epoch.potential_matches = {{.source = 3 - choices.at(index), .tag = 0, .number = 0}};
                finding.epochs.push_back(epoch);
            }
            result.findings.push_back(std::move(finding));
        }
        ++result.findings.front().count;
    }
    return result;
}

TEST(ChoicesThatInterleavingsNeed, AreThoseOfACompleteSweep) {
    const Shows second = [](const Choices& choices) { return choices.at(1) == 2; };
    SweepResult result = complete_sweep(second, replay::ViolationKind::abort);
    find_choices_that_interleavings_need(result);
    ASSERT_TRUE(result.findings.front().needed);
    const NeededChoices& needed = *result.findings.front().needed;
    ASSERT_EQ(needed.decisions.size(), 1U);
    EXPECT_EQ(needed.decisions.front().epoch.index, 1U);
    EXPECT_EQ(needed.runs, 0U);
    const Shows both = [](const Choices& choices) { return choices.at(0) == 1 && choices.at(1) == 2; };
    result = complete_sweep(both, replay::ViolationKind::abort);
    find_choices_that_interleavings_need(result);
    EXPECT_EQ(result.findings.front().needed->decisions.size(), 2U);
}

TEST(ChoicesThatInterleavingsNeed, AreNotKnownOtherwise) {
    const Shows second = [](const Choices& choices) { return choices.at(1) == 2; };
    const auto is_known = [&](const std::function<void(SweepResult&)>& change) {
        SweepResult result = complete_sweep(second, replay::ViolationKind::abort);
        change(result);
        find_choices_that_interleavings_need(result);
        return result.findings.front().needed.has_value();
    };
    EXPECT_TRUE(is_known([](SweepResult&) {}));
    EXPECT_FALSE(is_known([](SweepResult& result) { result.pending = 1; }));
    EXPECT_FALSE(is_known([](SweepResult& result) { result.interleavings.front().merged = true; }));
    EXPECT_FALSE(is_known([](SweepResult& result) { result.findings.push_back(result.findings.front()); }))
        << "which interleaving shows which?";
    EXPECT_FALSE(is_known([](SweepResult& result) { result.interleavings.resize(0); })) << "all show it";
}

TEST(ChoicesThatInterleavingsNeed, WhatIsSeenAtTheEndIsLookedForInRunsThatComeThere) {
    const Shows second = [](const Choices& choices) { return choices.at(1) == 2; };
    SweepResult result = complete_sweep(second, replay::ViolationKind::leak_request);
    InterleavingOutcome& first = result.interleavings.front();
    ASSERT_TRUE(first.verdicts.empty());
    EXPECT_TRUE(tells_of_passing(first, replay::ViolationKind::leak_request));
    first.verdicts = {replay::ViolationKind::deadlock};
    EXPECT_FALSE(tells_of_passing(first, replay::ViolationKind::leak_request));
    EXPECT_TRUE(tells_of_passing(first, replay::ViolationKind::abort));
    first.verdicts = {replay::ViolationKind::exit};
    EXPECT_TRUE(tells_of_passing(first, replay::ViolationKind::leak_request));
}

}  // namespace
}  // namespace dampi::scheduler
