// Calls that choose, by their places in the source.
#include "scheduler/sweep/call_sites.hpp"

#include "replay/serialization.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler {
namespace {

replay::Epoch receive(replay::EpochId id, replay::Rank source, int line, std::uint64_t offset = 0x40) {
    replay::Epoch epoch;
    epoch.id = id;
    epoch.call = "MPI_Recv";
    epoch.where = {"/app", offset, "main", "app.c", line};
    epoch.outcome = replay::Outcome{.source = source, .tag = 0};
    return epoch;
}

TEST(SitesOfRun, WhatAPlaceTookAndCouldHaveTaken) {
    replay::RunRecord record;
    record.epochs = {receive({0, 0}, 1, 10, 0x40), receive({0, 1}, 2, 10, 0x80), receive({0, 2}, 1, 11)};
    record.epochs[1].potential_matches = {{3, 0, 0}};
    replay::Epoch choice;
    choice.id = {1, 0};
    choice.kind = replay::EpochKind::wait_any;
    choice.call = "MPI_Waitany";
    choice.where = {"/app", 0x90, "main", "", 0};
    choice.outcome = replay::Outcome{.completed = {1}};
    choice.completable = {{.position = 0}, {.position = 1}};
    record.epochs.push_back(choice);
    const SitesOfRun sites = sites_of(record);
    ASSERT_EQ(sites.sites.size(), 3U) << "copies of a line are one place";
    EXPECT_EQ(sites.choices[0].taken, (std::set<std::int64_t>{1, 2}));
    EXPECT_EQ(sites.choices[0].possible, (std::set<std::int64_t>{3}));
    EXPECT_TRUE(sites.choices[0].messages);
    EXPECT_EQ(sites.sites[2].where.offset, 0x90U) << "without a line it is the place";
    EXPECT_FALSE(sites.choices[2].messages);
    EXPECT_EQ(sites.choices[2].taken, (std::set<std::int64_t>{1}));
    EXPECT_EQ(sites.choices[2].possible, (std::set<std::int64_t>{0}));
    EXPECT_EQ(sites.of_outcomes, (std::vector<std::uint32_t>{0, 0, 1, 2}));
    record.diverged = true;
    EXPECT_TRUE(sites_of(record).sites.empty());
}

TEST(CallSites, OnlyWhatIsNewIsTakenIn) {
    CallSites all;
    std::vector<std::uint32_t> numbers;
    replay::RunRecord first;
    first.epochs = {receive({0, 0}, 1, 10), receive({0, 1}, 1, 11)};
    all.apply(all.look(sites_of(first), numbers));
    EXPECT_EQ(numbers, (std::vector<std::uint32_t>{0, 1}));
    replay::RunRecord second;
    second.epochs = {receive({0, 0}, 1, 12), receive({0, 1}, 2, 11), receive({0, 2}, 1, 10)};
    const CallSites::News news = all.look(sites_of(second), numbers);
    EXPECT_EQ(numbers, (std::vector<std::uint32_t>{2, 1, 0}));
    EXPECT_EQ(news.sites.size(), 1U);
    EXPECT_EQ(news.choices.size(), 2U) << "the one at line 10 brings nothing new";
    all.apply(news);
    EXPECT_EQ(all.choices()[1].taken, (std::set<std::int64_t>{1, 2}));
    EXPECT_TRUE(all.look(sites_of(second), numbers).choices.empty());
    EXPECT_FALSE(all.omitted());
}

TEST(CallSites, OfVeryManySitesTheRestIsLeftOutAndSaid) {
    CallSites all;
    replay::RunRecord record;
    for (std::uint32_t i = 0; i < most_sites + 2; ++i) {
        record.epochs.push_back(receive({0, i}, 1, static_cast<int>(i + 1)));
    }
    std::vector<std::uint32_t> numbers;
    all.apply(all.look(sites_of(record), numbers));
    EXPECT_EQ(all.sites().size(), most_sites);
    EXPECT_TRUE(all.omitted());
    EXPECT_EQ(numbers.back(), CallSites::unknown);
}

TEST(CallSites, GoOnWhereTheyWereKept) {
    CallSites all;
    std::vector<std::uint32_t> numbers;
    replay::RunRecord record;
    record.epochs = {receive({0, 0}, 1, 10)};
    all.apply(all.look(sites_of(record), numbers));
    const auto again = replay::from_bytes<CallSites>(replay::to_bytes(all));
    EXPECT_EQ(again.sites(), all.sites());
    record.epochs = {receive({0, 0}, 2, 10)};
    const CallSites::News news = again.look(sites_of(record), numbers);
    EXPECT_EQ(numbers, (std::vector<std::uint32_t>{0})) << "it is known";
    EXPECT_TRUE(news.sites.empty());
}

}  // namespace
}  // namespace dampi::scheduler
