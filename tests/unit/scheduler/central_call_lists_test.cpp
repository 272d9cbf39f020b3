// Lists of calls from what is known of each rank by itself.
#include "scheduler/engines/central/call_lists.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler::central {
namespace {

using replay::CallEvent;
using replay::CallKind;
using replay::CallName;
using replay::Rank;

ListedCall listed(CallKind kind, const char* call, std::uint64_t moment) {
    ListedCall record;
    record.kind = kind;
    record.function = call;
    record.moment = moment;
    record.comm = base::world_comm;
    return record;
}

ListedCall send(Rank destination, std::uint64_t number, std::uint64_t moment) {
    ListedCall record = listed(CallKind::send, "MPI_Send", moment);
    record.destination = destination;
    record.number = number;
    return record;
}

ListedCall receive(std::uint64_t order, std::uint64_t moment) {
    ListedCall record = listed(CallKind::receive, "MPI_Irecv", moment);
    record.number = order;
    return record;
}

ListedMatch matched(std::uint64_t order, Rank source, std::uint64_t number, std::uint64_t moment) {
    return {.number = order, .message = {source, base::world_comm, number}, .moment = moment};
}

std::vector<CallEvent> calls(const CallLists& lists) {
    return lists.calls([](Rank, std::uint64_t) { return replay::CodePlace{}; },
                       [](replay::CommId) {
                           return std::vector<Rank>{0, 1};
                       });
}

TEST(CentralCallLists, PartnersFindEachOtherWhateverTheOrderOfTheRanks) {
    CallLists lists(2);
    ASSERT_TRUE(lists.add(0, receive(7, 10)));
    ASSERT_TRUE(lists.add(0, receive(8, 11)));
    lists.add(0, matched(8, 1, 0, 40));
    lists.add(0, matched(7, 1, 1, 30));
    ASSERT_TRUE(lists.add(1, send(0, 0, 20)));
    ASSERT_TRUE(lists.add(1, send(0, 1, 21)));
    ASSERT_TRUE(lists.add(1, send(0, 2, 22)));
    const auto all = calls(lists);
    ASSERT_EQ(all.size(), 5U);
    EXPECT_EQ(all[0].match, (CallName{1, 1}));
    EXPECT_EQ(all[1].match, (CallName{1, 0}));
    EXPECT_EQ(all[2].match, (CallName{0, 1}));
    EXPECT_EQ(all[3].match, (CallName{0, 0}));
    EXPECT_FALSE(all[4].match);
    // 30 comes before 40, and partners go together.
    EXPECT_EQ(all[0].issue, 1U);
    EXPECT_EQ(all[3].issue, 2U);
    EXPECT_EQ(all[1].issue, 3U);
    EXPECT_EQ(all[2].issue, 4U);
    EXPECT_FALSE(all[4].issue);
    EXPECT_EQ(all[0].order, 1U);
    EXPECT_EQ(all[1].order, 2U);
    EXPECT_EQ(all[2].order, 3U);
}

TEST(CentralCallLists, AProbeDoesNotTakeTheMessageFromItsReceive) {
    CallLists lists(2);
    ASSERT_TRUE(lists.add(0, send(1, 0, 1)));
    ListedCall probe = listed(CallKind::probe, "MPI_Probe", 2);
    probe.number = 1;
    ASSERT_TRUE(lists.add(1, probe));
    lists.add(1, matched(1, 0, 0, 3));
    ASSERT_TRUE(lists.add(1, receive(2, 4)));
    lists.add(1, matched(2, 0, 0, 5));
    const auto all = calls(lists);
    EXPECT_EQ(all[0].match, (CallName{1, 1}));
    EXPECT_EQ(all[1].match, (CallName{0, 0}));
    EXPECT_EQ(all[2].match, (CallName{0, 0}));
}

TEST(CentralCallLists, ACollectiveNeedsAllItsMembers) {
    CallLists lists(2);
    for (const Rank rank : {0, 1}) {
        ASSERT_TRUE(lists.add(rank, listed(CallKind::collective, "MPI_Barrier", 10 + static_cast<unsigned>(rank))));
    }
    ASSERT_TRUE(lists.add(0, listed(CallKind::collective, "MPI_Bcast", 20)));
    lists.returned(0, 1, 30);
    const auto all = calls(lists);
    EXPECT_TRUE(all[0].issue);
    EXPECT_TRUE(all[2].issue);
    EXPECT_FALSE(all[1].issue);  // though the root has gone on
    EXPECT_EQ(all[0].members, (std::vector<Rank>{0, 1}));
}

TEST(CentralCallLists, AWaitIsOverWhenItReturns) {
    CallLists lists(1);
    ASSERT_TRUE(lists.add(0, receive(1, 1)));
    ListedCall wait = listed(CallKind::completion, "MPI_Wait", 2);
    wait.requests = {0};
    ASSERT_TRUE(lists.add(0, wait));
    EXPECT_FALSE(calls(lists)[1].issue);
    lists.returned(0, 1, 3);
    EXPECT_EQ(calls(lists)[1].issue, 1U);
    EXPECT_EQ(calls(lists)[1].requests, std::vector<std::uint32_t>{0});
}

TEST(CentralCallLists, WhatMakesNoSenseIsRefused) {
    CallLists lists(2);
    EXPECT_FALSE(lists.add(0, listed(CallKind::send, "send", 1)));
    EXPECT_FALSE(lists.add(0, listed(CallKind::send, "MPI_with a space", 1)));
    EXPECT_FALSE(lists.add(0, listed(CallKind::send, "", 1)));
    ASSERT_TRUE(lists.add(0, receive(1, 1)));
    EXPECT_FALSE(lists.add(0, receive(1, 2)));
    // A match of what nobody has listed is no harm.
    lists.add(0, matched(5, 1, 0, 3));
    EXPECT_EQ(calls(lists).size(), 1U);
}

}  // namespace
}  // namespace dampi::scheduler::central
