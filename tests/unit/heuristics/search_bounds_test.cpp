// Which steps of a run are explored, by hand-made records; tests/oracle compares whole searches with their definition.
#include "heuristics/search_bounds.hpp"

#include "base/check.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace dampi::heuristics {
namespace {

using replay::CodePlace;
using replay::Epoch;
using replay::EpochKind;
using replay::Rank;
using replay::RunRecord;

constexpr LeftOutBy nothing = LeftOutBy::nothing;

CodePlace place(const std::string& function, std::uint64_t offset = 0) {
    return {.module = "/bin/program", .offset = offset, .function = function, .file = "/src/queue.c", .line = 7};
}

/// Epochs one after the other; `rank`: of each.
RunRecord run_of(const std::vector<Rank>& ranks) {
    RunRecord record;
    std::uint32_t index = 0;
    for (const Rank rank : ranks) {
        index = record.epochs.empty() || record.epochs.back().id.rank != rank ? 0 : index + 1;
        Epoch& epoch = record.epochs.emplace_back();
        epoch.id = {rank, index};
        epoch.outcome = replay::Outcome{.source = 5};
    }
    return record;
}

RunRecord run_of(std::size_t epochs) { return run_of(std::vector<Rank>(epochs, 0)); }

std::vector<StepBound> bounds_of(const SearchBoundSettings& settings, const RunRecord& record, const Room& room = {}) {
    std::vector<std::size_t> steps(record.epochs.size());
    std::iota(steps.begin(), steps.end(), 0);
    return SearchBounds(settings).of_steps(record, steps, room);
}

std::vector<LeftOutBy> left_out(const SearchBoundSettings& settings, const RunRecord& record, const Room& room = {}) {
    std::vector<LeftOutBy> reasons;
    for (const StepBound& bound : bounds_of(settings, record, room)) {
        reasons.push_back(bound.left_out_by);
    }
    return reasons;
}

std::vector<Room> rooms(const SearchBoundSettings& settings, const RunRecord& record, const Room& room = {}) {
    std::vector<Room> all;
    for (const StepBound& bound : bounds_of(settings, record, room)) {
        all.push_back(bound.room);
    }
    return all;
}

TEST(SearchBounds, WithoutAnyEverythingIsExplored) {
    RunRecord record = run_of(3);
    record.epochs[1].context.zone = 4'000'000'000;
    EXPECT_EQ(left_out({}, record), std::vector<LeftOutBy>(3, nothing));
    EXPECT_EQ(rooms({}, record), std::vector<Room>(3));
    EXPECT_TRUE(bounds_of({}, RunRecord{}).empty());
}

TEST(SearchBounds, TheRootHasNoMixingBoundAndItsAlternativesHave) {
    const RunRecord record = run_of(3);
    EXPECT_EQ(left_out({.mixing_bound = 1}, record), std::vector<LeftOutBy>(3, nothing));
    EXPECT_EQ(rooms({.mixing_bound = 1}, record), std::vector<Room>(3, Room{.steps = 1}));
    EXPECT_EQ(rooms({.mixing_bound = 0}, record), std::vector<Room>(3, Room{.steps = 0}));
}

TEST(SearchBounds, WhatIsLeftOfTheMixingBoundShrinksWithEachStep) {
    const RunRecord record = run_of(4);
    const SearchBoundSettings settings{.mixing_bound = 3};
    constexpr auto mixing = LeftOutBy::mixing_bound;
    EXPECT_EQ(left_out(settings, record, {.steps = 2}), (std::vector<LeftOutBy>{nothing, nothing, mixing, mixing}));
    const auto after = rooms(settings, record, {.steps = 3});
    EXPECT_EQ(after[0], Room{.steps = 2});
    EXPECT_EQ(after[1], Room{.steps = 1});
    EXPECT_EQ(after[2], Room{.steps = 0});
    EXPECT_EQ(left_out(settings, record, {.steps = 0}), std::vector<LeftOutBy>(4, mixing));
    // An alternative never gives the search back what one before it has taken.
    EXPECT_EQ(rooms(settings, record, {.steps = 10})[0], Room{.steps = 3});
}

TEST(SearchBounds, OnlyStepsCountAndNotWhatWasDecided) {
    const RunRecord record = run_of(5);
    const auto bounds = SearchBounds({.mixing_bound = 1}).of_steps(record, {2, 4}, {.steps = 1});
    ASSERT_EQ(bounds.size(), 2U);
    EXPECT_EQ(bounds[0].left_out_by, nothing);
    EXPECT_EQ(bounds[1].left_out_by, LeftOutBy::mixing_bound);
}

TEST(SearchBounds, ZonesInsteadOfEpochs) {
    RunRecord record = run_of(4);
    for (std::uint32_t i = 0; i < 4; ++i) {
        record.epochs[i].context.zone = i / 2;
    }
    const SearchBoundSettings settings{.mixing_bound = 0, .mixing_unit = MixingUnit::zones};
    EXPECT_EQ(rooms(settings, record)[1], Room{.last_zone = 0});
    EXPECT_EQ(rooms(settings, record)[2], Room{.last_zone = 1});
    EXPECT_EQ(left_out(settings, record, {.last_zone = 0}),
              (std::vector<LeftOutBy>{nothing, nothing, LeftOutBy::mixing_bound, LeftOutBy::mixing_bound}));
    const SearchBoundSettings more{.mixing_bound = 5, .mixing_unit = MixingUnit::zones};
    EXPECT_EQ(rooms(more, record, {.last_zone = 3})[2], Room{.last_zone = 3});
    EXPECT_EQ(rooms(more, record, {.last_zone = 30})[2], Room{.last_zone = 6});
    const SearchBoundSettings endless{.mixing_bound = Room::unlimited - 1, .mixing_unit = MixingUnit::zones};
    EXPECT_EQ(rooms(endless, record)[2], Room{});  // does not begin again at zero
}

TEST(SearchBounds, BracketsLeaveOutOrLimit) {
    RunRecord record = run_of(3);
    record.epochs[0].context.bracketed = true;
    record.epochs[1].context.mixing_bound = 2;
    EXPECT_EQ(left_out({}, record), (std::vector<LeftOutBy>{LeftOutBy::bracket, nothing, nothing}));
    EXPECT_EQ(rooms({}, record), (std::vector<Room>{{}, {.steps = 2}, {}}));
    EXPECT_EQ(rooms({.mixing_bound = 1}, record)[1], Room{.steps = 1});
    EXPECT_EQ(rooms({.mixing_bound = 7}, record)[1], Room{.steps = 2});
    EXPECT_EQ(left_out({.brackets = false}, record), std::vector<LeftOutBy>(3, nothing));
    EXPECT_EQ(rooms({.brackets = false}, record), std::vector<Room>(3));
}

TEST(SearchBounds, ALoopIsOfOneRankAndOnePlaceWithOneCallStack) {
    RunRecord record = run_of({0, 0, 0, 1, 1});
    record.stacks = {{place("a", 1)}, {place("b", 2)}};
    for (std::size_t i = 0; i < record.epochs.size(); ++i) {
        record.epochs[i].context.stack = i == 1 ? 1 : 0;
        record.epochs[i].where = record.stacks[record.epochs[i].context.stack].front();
    }
    constexpr auto loop = LeftOutBy::loop_bound;
    EXPECT_EQ(left_out({.loop_bound = 1}, record), (std::vector<LeftOutBy>{nothing, nothing, loop, nothing, loop}));
    EXPECT_EQ(left_out({.loop_bound = 2}, record), std::vector<LeftOutBy>(5, nothing));
    // Iterations that were decided are iterations all the same.
    const auto bounds = SearchBounds({.loop_bound = 1}).of_steps(record, {2}, {});
    EXPECT_EQ(bounds.front().left_out_by, loop);
}

TEST(SearchBounds, AutomaticallyALoopIsExploredUntilNothingNewComes) {
    RunRecord record = run_of(5);
    const auto of = [&] { return left_out({.loop_bound_automatic = true}, record); };
    constexpr auto loop = LeftOutBy::loop_bound;
    record.epochs[1].potential_matches = {{.source = 6}};
    record.epochs[2].potential_matches = {{.source = 6}};
    record.epochs[3].context.follow_up = 17;
    // The last differs from the first in that nothing follows it.
    EXPECT_EQ(of(), (std::vector<LeftOutBy>{nothing, nothing, loop, nothing, nothing}));
    record.epochs[2].outcome->source = 6;  // the same possibilities, another of them taken
    record.epochs[2].potential_matches = {{.source = 5}};
    EXPECT_EQ(of()[2], loop);
    record.epochs[2].potential_matches = {{.source = 7}};
    EXPECT_EQ(of()[2], nothing);
    record.epochs[2].context.stack = 1;
    EXPECT_EQ(of()[1], nothing);  // what comes next belongs to the pattern
}

TEST(SearchBounds, AutomaticallyChoicesAreTheSameByWhatCouldComplete) {
    RunRecord record = run_of(3);
    for (Epoch& epoch : record.epochs) {
        epoch.kind = EpochKind::wait_any;
        epoch.completable = {{.position = 0}, {.position = 2}};
    }
    record.epochs[0].outcome->completed = {0};
    record.epochs[1].outcome->completed = {2};
    const SearchBoundSettings settings{.loop_bound_automatic = true};
    EXPECT_EQ(left_out(settings, record)[1], LeftOutBy::loop_bound);
    record.epochs[1].completable.pop_back();
    EXPECT_EQ(left_out(settings, record)[1], nothing);
}

TEST(SearchBounds, PartsByName) {
    RunRecord record = run_of(3);
    record.stacks = {{place("take(int)"), place("solve")}, {place("take(int)"), place("print")}};
    for (std::size_t i = 0; i < 2; ++i) {
        record.epochs[i].context.stack = static_cast<std::uint32_t>(i);
        record.epochs[i].where = place("take(int)");
    }
    record.epochs[2].context.communicator_name = "results";
    const auto skip = [&](const char* name) {
        return left_out({.skip = {parse_name_pattern("--skip", name)}}, record);
    };
    const auto explore = [&](const char* name) {
        return left_out({.explore = {parse_name_pattern("--explore", name)}}, record);
    };
    constexpr auto by_name = LeftOutBy::name;
    EXPECT_EQ(skip("solve"), (std::vector<LeftOutBy>{by_name, nothing, nothing}));
    EXPECT_EQ(skip("take"), (std::vector<LeftOutBy>{by_name, by_name, nothing}));
    EXPECT_EQ(skip("function:t?ke(int)"), (std::vector<LeftOutBy>{by_name, by_name, nothing}));
    EXPECT_EQ(skip("queue.c"), (std::vector<LeftOutBy>{by_name, by_name, nothing}));
    EXPECT_EQ(skip("queue.c:7"), (std::vector<LeftOutBy>{by_name, by_name, nothing}));
    EXPECT_EQ(skip("queue.c:8"), std::vector<LeftOutBy>(3, nothing));
    EXPECT_EQ(skip("comm:res*"), (std::vector<LeftOutBy>{nothing, nothing, by_name}));
    EXPECT_EQ(skip("function:results"), std::vector<LeftOutBy>(3, nothing));
    EXPECT_EQ(explore("results"), (std::vector<LeftOutBy>{by_name, by_name, nothing}));
    EXPECT_EQ(explore("print"), (std::vector<LeftOutBy>{by_name, nothing, by_name}));
}

TEST(SearchBounds, TheFirstReasonIsNamed) {
    RunRecord record = run_of(2);
    record.epochs[1].context.bracketed = true;
    record.epochs[1].context.communicator_name = "c";
    SearchBoundSettings settings{.mixing_bound = 0, .loop_bound = 1, .skip = {parse_name_pattern("--skip", "comm:c")}};
    const Room none{.steps = 0};
    EXPECT_EQ(left_out(settings, record, none)[1], LeftOutBy::name);
    settings.skip.clear();
    EXPECT_EQ(left_out(settings, record, none)[1], LeftOutBy::bracket);
    settings.brackets = false;
    EXPECT_EQ(left_out(settings, record, none)[1], LeftOutBy::loop_bound);
    settings.loop_bound = 2;
    EXPECT_EQ(left_out(settings, record, none)[1], LeftOutBy::mixing_bound);
}

TEST(SearchBounds, StacksAreNeededWhereSomethingGoesByThem) {
    const auto needs = [](SearchBoundSettings settings) { return SearchBounds(std::move(settings)).needs_stacks(); };
    EXPECT_FALSE(needs({.mixing_bound = 2}));
    EXPECT_TRUE(needs({.loop_bound = 2}));
    EXPECT_TRUE(needs({.loop_bound_automatic = true}));
    EXPECT_TRUE(needs({.skip = {parse_name_pattern("--skip", "x")}}));
    EXPECT_TRUE(needs({.explore = {parse_name_pattern("--explore", "file:x")}}));
    EXPECT_FALSE(needs({.explore = {parse_name_pattern("--explore", "comm:x")}}));
}

TEST(NamePattern, IsReadAsItIsWritten) {
    for (const char* text : {"solve", "function:solve*", "file:queue.c", "file:queue.c:42", "comm:results"}) {
        EXPECT_EQ(format(parse_name_pattern("--skip", text)), text);
    }
    EXPECT_EQ(parse_name_pattern("--skip", "queue.c:42").line, 42);
    EXPECT_EQ(parse_name_pattern("--skip", "a::b").name, "a::b");
    for (const char* text : {"", "comm:", "file:", "file::7"}) {
        EXPECT_THROW((void)parse_name_pattern("--skip", text), Error) << text;
    }
}

}  // namespace
}  // namespace dampi::heuristics
