// The immediate steps of the order of calls, against small lists whose order is known.
#include "scheduler/isp/completes_before.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler::isp {
namespace {

using replay::CallEvent;
using replay::CallKind;
using replay::CallName;
using Within = std::vector<std::uint32_t>;

/// The calls of one rank, one after the other.
class OneRank {
public:
    explicit OneRank(replay::Rank rank = 0) : rank_(rank) {}

    CallEvent& add(CallKind kind, const char* function, int peer = 0, replay::Tag tag = 0) {
        CallEvent call;
        call.name = {rank_, static_cast<std::uint32_t>(calls.size())};
        call.kind = kind;
        call.function = function;
        call.peer = peer;
        call.tag = tag;
        call.comm = base::world_comm;
        call.where.line = static_cast<int>(calls.size());
        calls.push_back(call);
        return calls.back();
    }

    std::vector<CallEvent> calls;

private:
    replay::Rank rank_;
};

std::vector<Within> within(const std::vector<CallEvent>& calls, bool sends_block = false) {
    std::vector<Within> all;
    for (const CompletesBefore& each : completes_before(calls, sends_block)) {
        all.push_back(each.within);
    }
    return all;
}

TEST(CompletesBefore, NothingOfNothing) { EXPECT_TRUE(completes_before({}, true).empty()); }

TEST(CompletesBefore, BlockingCallsFormAChain) {
    OneRank rank;
    rank.add(CallKind::receive, "MPI_Recv", 1);
    rank.add(CallKind::collective, "MPI_Barrier");
    rank.add(CallKind::probe, "MPI_Probe", 2);
    rank.add(CallKind::finalize, "MPI_Finalize");
    EXPECT_EQ(within(rank.calls), (std::vector<Within>{{1}, {2}, {3}, {}}));
}

TEST(CompletesBefore, ASendBlocksWithoutBuffersOnly) {
    OneRank rank;
    rank.add(CallKind::send, "MPI_Send", 1);
    rank.add(CallKind::send, "MPI_Send", 2);
    rank.add(CallKind::finalize, "MPI_Finalize");
    EXPECT_EQ(within(rank.calls, true), (std::vector<Within>{{1}, {2}, {}}));
    EXPECT_EQ(within(rank.calls, false), (std::vector<Within>{{2}, {2}, {}}));
}

TEST(CompletesBefore, SynchronousSendsAlwaysBlock) {
    OneRank rank;
    rank.add(CallKind::send, "MPI_Ssend", 1);
    rank.add(CallKind::send, "MPI_Issend", 2);
    rank.add(CallKind::receive, "MPI_Irecv", 2);
    EXPECT_EQ(within(rank.calls), (std::vector<Within>{{1, 2}, {}, {}}));
}

TEST(CompletesBefore, MessagesToTheSamePeerDoNotOvertake) {
    OneRank rank;
    rank.add(CallKind::send, "MPI_Isend", 1, 7);
    rank.add(CallKind::send, "MPI_Isend", 1, 8);
    rank.add(CallKind::send, "MPI_Isend", 2, 7);
    rank.add(CallKind::send, "MPI_Isend", 1, 7);
    rank.add(CallKind::send, "MPI_Isend", 1, 7);
    EXPECT_EQ(within(rank.calls), (std::vector<Within>{{3}, {}, {}, {4}, {}}));
    rank.calls[3].comm = base::world_comm + 9;
    EXPECT_EQ(within(rank.calls), (std::vector<Within>{{4}, {}, {}, {}, {}}));
}

TEST(CompletesBefore, AReceiveComesBeforeThoseThatItAccepts) {
    OneRank rank;
    rank.add(CallKind::receive, "MPI_Irecv", base::any_source, base::any_tag);
    rank.add(CallKind::receive, "MPI_Irecv", 1, 5);
    rank.add(CallKind::receive, "MPI_Irecv", base::any_source, 5);
    rank.add(CallKind::receive, "MPI_Irecv", 1, 5);
    // 1 does not accept all that 2 does; 3 is after both of them.
    EXPECT_EQ(within(rank.calls), (std::vector<Within>{{1, 2}, {3}, {3}, {}}));
}

TEST(CompletesBefore, AWaitComesAfterWhatItWaitsFor) {
    OneRank rank;
    rank.add(CallKind::receive, "MPI_Irecv", 1);
    rank.add(CallKind::send, "MPI_Isend", 1);
    rank.add(CallKind::completion, "MPI_Wait").requests = {1};
    rank.add(CallKind::collective, "MPI_Barrier");
    rank.add(CallKind::completion, "MPI_Wait").requests = {0};
    rank.add(CallKind::finalize, "MPI_Finalize");
    EXPECT_EQ(within(rank.calls), (std::vector<Within>{{4}, {2}, {3}, {4}, {5}, {}}));
}

TEST(CompletesBefore, ReceivesThatNobodyWaitsForStayOpenAcrossBlockingCalls) {
    OneRank rank;
    rank.add(CallKind::receive, "MPI_Irecv", 1, 3);
    rank.add(CallKind::collective, "MPI_Barrier");
    rank.add(CallKind::receive, "MPI_Recv", 1, 3);
    rank.add(CallKind::finalize, "MPI_Finalize");
    EXPECT_EQ(within(rank.calls), (std::vector<Within>{{2}, {2}, {3}, {}}));
}

TEST(CompletesBefore, TheHalvesOfAnExchangeAreNotOrdered) {
    OneRank rank;
    rank.add(CallKind::receive, "MPI_Sendrecv", 1);
    rank.add(CallKind::send, "MPI_Sendrecv", 1);
    rank.calls[1].where = rank.calls[0].where;
    rank.add(CallKind::collective, "MPI_Barrier");
    EXPECT_EQ(within(rank.calls, true), (std::vector<Within>{{2}, {2}, {}}));
}

TEST(CompletesBefore, PartnersAreOrderedWithEachOther) {
    OneRank sender(0);
    sender.add(CallKind::send, "MPI_Send", 1).match = CallName{1, 0};
    sender.add(CallKind::send, "MPI_Send", 1).match = CallName{1, 1};
    OneRank receiver(1);
    receiver.add(CallKind::receive, "MPI_Recv", base::any_source).match = CallName{0, 0};
    receiver.add(CallKind::receive, "MPI_Recv", 0).match = CallName{0, 1};
    std::vector<CallEvent> calls = sender.calls;
    calls.insert(calls.end(), receiver.calls.begin(), receiver.calls.end());
    const auto after = completes_before(calls, true);
    EXPECT_TRUE(after[0].across.empty());  // the wildcard might have taken another
    EXPECT_EQ(after[1].across, (std::vector<CallName>{{1, 1}}));
    EXPECT_EQ(after[2].across, (std::vector<CallName>{{0, 0}}));
    EXPECT_EQ(after[3].across, (std::vector<CallName>{{0, 1}}));
}

TEST(CompletesBefore, MembersOfACollectiveAreOrderedWithEachOther) {
    std::vector<CallEvent> calls;
    for (replay::Rank rank = 0; rank < 3; ++rank) {
        OneRank one(rank);
        one.add(CallKind::collective, "MPI_Barrier").issue = 1;
        one.add(CallKind::collective, "MPI_Barrier");  // which never came to be
        calls.insert(calls.end(), one.calls.begin(), one.calls.end());
    }
    const auto after = completes_before(calls, true);
    EXPECT_EQ(after[0].across, (std::vector<CallName>{{1, 0}, {2, 0}}));
    EXPECT_EQ(after[2].across, (std::vector<CallName>{{0, 0}, {2, 0}}));
    EXPECT_TRUE(after[1].across.empty());
}

}  // namespace
}  // namespace dampi::scheduler::isp
