#include "heuristics/novelty.hpp"

#include <gtest/gtest.h>

namespace dampi::heuristics {
namespace {

using replay::Epoch;
using replay::Outcome;
using replay::RunRecord;

Outcome from(replay::Rank source) {
    Outcome outcome;
    outcome.source = source;
    return outcome;
}

/// One rank's epochs, at these places, from these sources.
RunRecord run_of(const std::vector<std::pair<std::uint64_t, replay::Rank>>& epochs) {
    RunRecord record;
    for (const auto& [offset, source] : epochs) {
        Epoch& epoch = record.epochs.emplace_back();
        epoch.id = {.rank = 0, .index = static_cast<std::uint32_t>(record.epochs.size() - 1)};
        epoch.where.module = "/app";
        epoch.where.offset = offset;
        epoch.outcome = from(source);
    }
    return record;
}

unsigned level(const Novelty& novelty, const RunRecord& record, std::size_t index, replay::Rank source) {
    return novelty.level(BehaviourOf(record).with(index, from(source)));
}

TEST(Novelty, EverythingIsNewAtFirst) {
    const RunRecord run = run_of({{1, 1}, {1, 2}});
    EXPECT_EQ(level({}, run, 0, 1), 3U);
    EXPECT_FALSE(Novelty().unseen(BehaviourOf(run)).empty());
}

TEST(Novelty, SeesAnOutcomeMoreAndMoreClosely) {
    const RunRecord run = run_of({{1, 1}, {1, 2}, {2, 1}});
    Novelty novelty;
    novelty.see(novelty.unseen(BehaviourOf(run)));
    EXPECT_TRUE(novelty.unseen(BehaviourOf(run)).empty());
    EXPECT_EQ(level(novelty, run, 0, 1), 0U);
    EXPECT_EQ(level(novelty, run, 0, 3), 3U);  // never here
    EXPECT_EQ(level(novelty, run, 2, 2), 3U);  // only at another place
    EXPECT_EQ(level(novelty, run, 0, 2), 2U);  // only in another iteration
    const RunRecord other = run_of({{1, 2}, {1, 2}, {2, 1}});
    EXPECT_EQ(level(novelty, other, 1, 2), 1U);  // only after another one
    novelty.see(novelty.unseen(BehaviourOf(other)));
    EXPECT_EQ(level(novelty, other, 1, 2), 0U);
}

TEST(Novelty, IsKeptAsItsDigests) {
    const RunRecord run = run_of({{1, 1}, {1, 2}});
    Novelty novelty;
    novelty.see(novelty.unseen(BehaviourOf(run)));
    Novelty again;
    again.see(novelty.seen());
    EXPECT_TRUE(again.unseen(BehaviourOf(run)).empty());
}

TEST(Novelty, RequestsAreOutcomesToo) {
    RunRecord run = run_of({{1, 1}});
    run.epochs[0].kind = replay::EpochKind::wait_any;
    Outcome first;
    first.completed = {0};
    Outcome second;
    second.completed = {1};
    run.epochs[0].outcome = first;
    Novelty novelty;
    novelty.see(novelty.unseen(BehaviourOf(run)));
    EXPECT_EQ(novelty.level(BehaviourOf(run).with(0, first)), 0U);
    EXPECT_EQ(novelty.level(BehaviourOf(run).with(0, second)), 3U);
}

}  // namespace
}  // namespace dampi::heuristics
