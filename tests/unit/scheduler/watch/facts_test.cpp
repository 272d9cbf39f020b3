#include "scheduler/watch/facts.hpp"

#include <gtest/gtest.h>

namespace dampi::scheduler::watch {
namespace {

using transport::watch::anything;
using transport::watch::key_of_pair;
using transport::watch::NeedKind;
using transport::watch::world_name;

constexpr int tag = 7;

/// A job whose ranks all know MPI_COMM_WORLD alone.
class Job {
public:
    explicit Job(int size) {
        for (int i = 0; i < size; ++i) {
            RankFacts rank;
            rank.rank = i;
            rank.size = size;
            rank.communicators.push_back({world_name, size, i, 0, 0, 0});
            ranks.push_back(rank);
        }
    }
    RankFacts& at(int rank) { return ranks[static_cast<std::size_t>(rank)]; }
    RankFacts::Counts& counts(int rank, int peer, int with = tag) {
        return at(rank).pairs[key_of_pair(world_name, peer, with)];
    }
    void needs(int rank, NeedKind kind, int peer, int with = tag, std::uint64_t number = 0) {
        at(rank).blocked = true;
        at(rank).function = "MPI_Recv";
        at(rank).needs.push_back({kind, world_name, peer, with, number});
        if (kind == NeedKind::message) {
            ++counts(rank, peer, with).posted;
        }
    }
    void send(int from, int to, int with = tag) {
        ++counts(from, to, with).sent;
        ++counts(from, to, anything).sent;
    }
    void receive(int by, int from, int with = tag) {
        ++counts(by, from, with).received;
        ++counts(by, from, anything).received;
        ++at(by).communicators[0].received;
    }
    void receive_from_somebody(int by) {
        ++at(by).communicators[0].received;
        ++at(by).communicators[0].anonymous;
    }
    std::vector<int> stuck(Room room = Room::may_be_found) {
        conclusion = find_deadlock(ranks, room);
        std::vector<int> found;
        for (std::size_t i = 0; i < conclusion.stuck.size(); ++i) {
            if (conclusion.stuck[i]) {
                found.push_back(static_cast<int>(i));
            }
        }
        return found;
    }

    std::vector<RankFacts> ranks;
    Conclusion conclusion;
};

using Ranks = std::vector<int>;

TEST(Facts, ACircleOfReceivesIsADeadlock) {
    Job job(3);
    for (int rank = 0; rank < 3; ++rank) {
        job.needs(rank, NeedKind::message, (rank + 1) % 3);
    }
    EXPECT_EQ(job.stuck(), (Ranks{0, 1, 2}));
    EXPECT_EQ(job.conclusion.graph.shape, replay::WaitForGraph::Core::cycle);
    ASSERT_EQ(job.conclusion.graph.nodes.size(), 3U);
    EXPECT_EQ(job.conclusion.graph.nodes[0].edges[0].reason, "send a message with tag 7 on MPI_COMM_WORLD");
}

TEST(Facts, AMessageOnItsWayEndsACircle) {
    Job job(2);
    job.needs(0, NeedKind::message, 1);
    job.needs(1, NeedKind::message, 0);
    job.send(1, 0);
    EXPECT_EQ(job.stuck(), Ranks{});
    job.receive(0, 1);
    EXPECT_EQ(job.stuck(), (Ranks{0, 1}));
    job.send(1, 0, tag + 1);  // which this receive does not ask for
    EXPECT_EQ(job.stuck(), (Ranks{0, 1}));
    job.at(1).tags_lost = true;
    EXPECT_EQ(job.stuck(), Ranks{}) << "which tag it has is not known";
}

TEST(Facts, OfSeveralReceivesOneIsInVainWhereFewerMessagesAreThere) {
    Job job(2);
    job.needs(0, NeedKind::message, 1);
    job.needs(0, NeedKind::message, 1);
    job.needs(1, NeedKind::message, 0);
    job.send(1, 0);
    EXPECT_EQ(job.stuck(), (Ranks{0, 1}));
    job.send(1, 0);
    EXPECT_EQ(job.stuck(), Ranks{});
    job.receive(0, 1);
    job.at(0).any = true;
    EXPECT_EQ(job.stuck(), Ranks{}) << "any of them would be enough";
}

TEST(Facts, WhoComputesMaySend) {
    Job job(3);
    job.needs(0, NeedKind::message, 1);
    job.needs(1, NeedKind::message, 2);
    EXPECT_EQ(job.stuck(), Ranks{});
    job.at(2).ended = true;
    EXPECT_EQ(job.stuck(), (Ranks{0, 1}));
    EXPECT_EQ(job.conclusion.graph.core, (Ranks{1}));
}

TEST(Facts, TwoWaitForEachOtherWhileAThirdComputes) {
    Job job(3);
    job.needs(0, NeedKind::message, 1);
    job.needs(1, NeedKind::message, 0);
    EXPECT_EQ(job.stuck(), (Ranks{0, 1}));
}

TEST(Facts, AReceiveFromAnybodyNeedsAll) {
    Job job(3);
    job.needs(0, NeedKind::message, anything);
    job.needs(1, NeedKind::message, 0);
    EXPECT_EQ(job.stuck(), Ranks{}) << "rank 2 computes";
    job.needs(2, NeedKind::message, 0);
    EXPECT_EQ(job.stuck(), (Ranks{0, 1, 2}));
    job.send(2, 0);
    EXPECT_EQ(job.stuck(), Ranks{});
    job.receive_from_somebody(0);
    EXPECT_EQ(job.stuck(), (Ranks{0, 1, 2}));
    job.send(1, 0, tag + 1);
    EXPECT_EQ(job.stuck(), Ranks{}) << "which of the messages has come is not known any more";
}

TEST(Facts, ASynchronousSendNeedsAReceive) {
    Job job(2);
    job.needs(0, NeedKind::receipt, 1, tag, 1);
    job.send(0, 1);
    job.needs(1, NeedKind::receipt, 0, tag, 1);
    job.send(1, 0);
    EXPECT_EQ(job.stuck(), (Ranks{0, 1}));
    EXPECT_EQ(job.conclusion.graph.nodes[0].edges[0].reason, "receive the message with tag 7 on MPI_COMM_WORLD");
    for (const auto& [peer, with] : {std::pair(0, tag), std::pair(0, anything), std::pair(anything, tag)}) {
        ++job.counts(1, peer, with).posted;
        EXPECT_EQ(job.stuck(), Ranks{}) << "a receive that could get it is pending";
        --job.counts(1, peer, with).posted;
    }
    job.receive(1, 0);
    EXPECT_EQ(job.stuck(), Ranks{}) << "it has been received";
}

TEST(Facts, AStandardSendMayBeBuffered) {
    Job job(2);
    for (int rank = 0; rank < 2; ++rank) {
        job.needs(rank, NeedKind::room, 1 - rank, tag, 1);
        job.send(rank, 1 - rank);
    }
    EXPECT_EQ(job.stuck(), Ranks{});
    EXPECT_EQ(job.stuck(Room::is_none), (Ranks{0, 1}));
}

TEST(Facts, ACollectiveLacksARank) {
    Job job(3);
    for (int rank = 0; rank < 2; ++rank) {
        job.needs(rank, NeedKind::all_enter, anything, anything, 5);
        job.at(rank).communicators[0].collectives = 5;
        job.at(rank).function = "MPI_Barrier";
    }
    job.at(2).communicators[0].collectives = 4;
    EXPECT_EQ(job.stuck(), Ranks{});
    job.needs(2, NeedKind::message, 0);
    EXPECT_EQ(job.stuck(), (Ranks{0, 1, 2}));
    EXPECT_EQ(job.conclusion.graph.nodes[1].edges[0].reason, "enter MPI_Barrier on MPI_COMM_WORLD");
    job.at(2).communicators[0].collectives = 5;
    EXPECT_EQ(job.stuck(), Ranks{}) << "all have entered";
}

TEST(Facts, WhoIsNotAskedForInACollectiveKeepsNobody) {
    Job job(3);
    job.needs(1, NeedKind::peer_enters, 0, anything, 1);
    job.at(1).communicators[0].collectives = 1;
    job.needs(2, NeedKind::message, 1);
    job.at(0).communicators[0].collectives = 1;
    EXPECT_EQ(job.stuck(), Ranks{});
    job.at(0).communicators[0].collectives = 0;
    job.needs(0, NeedKind::message, 2);
    EXPECT_EQ(job.stuck(), (Ranks{0, 1, 2}));
    job.at(1).needs[0].kind = NeedKind::lower_enter;
    EXPECT_EQ(job.stuck(), (Ranks{0, 1, 2}));
    job.at(0).needs[0].kind = NeedKind::unknown;
    EXPECT_EQ(job.stuck(), Ranks{});
}

TEST(Facts, NothingIsConcludedInDoubt) {
    Job job(2);
    job.needs(0, NeedKind::message, 1);
    job.needs(1, NeedKind::message, 0);
    job.at(1).doubt = "it has done something";
    EXPECT_EQ(job.stuck(), Ranks{});
    EXPECT_EQ(job.conclusion.doubt, "rank 1: it has done something");
    job.at(1).doubt.clear();
    job.at(1).size = job.at(0).size = 3;
    EXPECT_EQ(job.stuck(), Ranks{});
    EXPECT_EQ(job.conclusion.doubt, "not all ranks of the job can be seen");
}

TEST(Facts, WhoHasCalledMeanwhileIsNotBlocked) {
    Job job(2);
    job.needs(0, NeedKind::message, 1);
    job.needs(1, NeedKind::message, 0);
    std::vector<RankFacts> later = job.ranks;
    EXPECT_EQ(find_deadlock(of_one_moment(job.ranks, later), Room::may_be_found).stuck.size(), 2U);
    later[1].stamp = 1;
    EXPECT_TRUE(find_deadlock(of_one_moment(job.ranks, later), Room::may_be_found).stuck.empty());
}

}  // namespace
}  // namespace dampi::scheduler::watch
