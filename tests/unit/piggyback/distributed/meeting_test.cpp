// piggyback/distributed/collectives/meeting.hpp and the three forms of collectives (bodies.cpp): what a rank publishes
// of its part, whom it waits for, what it learns of them, and when it sees that the others do something else.
#include "piggyback/distributed/collectives/meeting.hpp"
#include "tests/unit/piggyback/distributed/rank_under_test.hpp"
#include "transport/collective_operation.hpp"
#include "transport/log.hpp"

#include <array>
#include <optional>
#include <vector>

namespace dampi::piggyback::distributed {
namespace {

using transport::Activity;
using transport::Collective;
using transport::CollectiveForm;
using transport::Contribution;
using transport::MismatchRecord;
using transport::operation_number;
using transport::Reduction;
using transport::WaitKind;

constexpr std::uint32_t barrier_number = operation_number(Collective::barrier, CollectiveForm::blocking);
constexpr std::uint32_t bcast_number = operation_number(Collective::bcast, CollectiveForm::blocking);

class MeetingRank : public RankUnderTest {
protected:
    using RankUnderTest::RankUnderTest;

    /// What a rank that knows of its own first epoch gives to a collective.
    Contribution taught(base::Rank rank, Contribution contribution = {}) {
        contribution.clock = port.published(knowing({{rank, 0}}));
        return contribution;
    }

    /// All others enter a barrier, each with something to teach.
    void all_enter_barrier(CollectiveForm form = CollectiveForm::blocking) {
        for (const base::Rank rank : {1, 2, 3}) {
            enters(rank, Collective::barrier, form, taught(rank));
        }
    }

    static int barrier() { return MPI_Barrier(MPI_COMM_WORLD); }
    int bcast(int root, int count = 1) { return MPI_Bcast(from.data(), count, MPI_INT, root, MPI_COMM_WORLD); }
    int reduce(MPI_Op op, int root) { return MPI_Reduce(from.data(), to.data(), 1, MPI_INT, op, root, MPI_COMM_WORLD); }
    int allreduce(MPI_Op op) { return MPI_Allreduce(from.data(), to.data(), 1, MPI_INT, op, MPI_COMM_WORLD); }

    /// This rank's part in its latest collective of the world.
    Contribution own_part() { return port.own_contributions(base::world_comm).back(); }

    std::vector<MismatchRecord> mismatches() { return port.logged<MismatchRecord>(); }

    /// A wildcard receive that is over: from then on the rank knows something that the others do not.
    void have_an_epoch() {
        message(1, 7);
        receive(MPI_ANY_SOURCE, 7);
    }

    /// What dampi-run sees while the MPI library is in this function.
    void look_at_call(const char* function) {
        layer();
        mpi.at_call(function, [this] {
            const auto& blocked = port.board().blocked;
            inside = blocked.activity;
            if (inside != Activity::computing) {
                awaited = blocked.waits.items[0];
            }
        });
    }

    std::array<int, 4> from{};
    std::array<int, 4> to{};
    std::optional<Activity> inside;
    transport::WaitItem awaited{};
};

// ---- what is published ------------------------------------------------------------------------------------

TEST_F(MeetingRank, ItsPartSaysWhatItCalls) {
    layer();
    ASSERT_EQ(bcast(own, 3), MPI_SUCCESS);
    const Contribution part = own_part();
    EXPECT_EQ(part.sequence, 0U);
    EXPECT_EQ(part.operation, bcast_number);
    EXPECT_EQ(part.root, own);
    EXPECT_EQ(part.reduction, static_cast<std::uint32_t>(Reduction::unknown));
    EXPECT_EQ(part.sent, 3 * sizeof(int));
    EXPECT_EQ(part.received, transport::unknown_amount);
    EXPECT_NE(part.site, 0U);
    EXPECT_EQ(port.own_readers(base::world_comm).back(), 3U);
    EXPECT_EQ(port.board().synchronisations, 1U);
}

TEST_F(MeetingRank, ItsPartSaysWhatItKnows) {
    have_an_epoch();
    ASSERT_EQ(bcast(own), MPI_SUCCESS);
    EXPECT_TRUE(port.clock(own_part().clock).vector.knows(own, 0));
}

TEST_F(MeetingRank, AReductionSaysItsOperator) {
    layer();
    ASSERT_EQ(reduce(MPI_MAX, 2), MPI_SUCCESS);
    EXPECT_EQ(own_part().reduction, static_cast<std::uint32_t>(Reduction::max));
    EXPECT_EQ(own_part().root, 2);
    EXPECT_EQ(port.own_readers(base::world_comm).back(), 1U);
}

TEST_F(MeetingRank, CollectivesHaveNumbersByCommunicator) {
    layer();
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(bcast(own), MPI_SUCCESS);
    }
    EXPECT_EQ(own_part().sequence, 2U);
    const Flow flow = everyone_to_everyone(*layer().communicators.find(MPI_COMM_SELF));
    EXPECT_EQ(publish(layer(), *layer().communicators.find(MPI_COMM_SELF), barrier_number, flow, 1).own.sequence, 0U);
    EXPECT_EQ(port.own_contributions(base::world_comm).size(), 3U);
}

TEST_F(MeetingRank, ARankThatIsAloneSaysNothing) {
    layer();
    ASSERT_EQ(MPI_Barrier(MPI_COMM_SELF), MPI_SUCCESS);
    EXPECT_EQ(mpi.calls("PMPI_Barrier"), 1U);
    EXPECT_EQ(port.board().synchronisations, 0U);
    EXPECT_EQ(layer().communicators.find(MPI_COMM_SELF)->collectives, 0U);
}

TEST_F(MeetingRank, OnAnUnknownCommunicatorACollectiveIsCounted) {
    layer();
    const auto unknown = static_cast<MPI_Comm>(0x84000005U);
    ASSERT_EQ(MPI_Barrier(unknown), MPI_SUCCESS);
    EXPECT_EQ(not_modelled("collectives on unknown communicators"), 1U);
    mpi.refuse("PMPI_Barrier", MPI_ERR_COMM);
    EXPECT_EQ(MPI_Barrier(unknown), MPI_ERR_COMM);
    EXPECT_EQ(not_modelled("collectives on unknown communicators"), 1U) << "MPI refused it";
}

TEST_F(MeetingRank, ArgumentsThatMpiRefusesEnterNothing) {
    layer();
    EXPECT_EQ(bcast(4), MPI_SUCCESS);  // the fake does not look
    EXPECT_EQ(mpi.calls("PMPI_Bcast"), 1U);
    EXPECT_EQ(world().collectives, 0U);
}

TEST_F(MeetingRank, ACollectiveOfAllRanksBeginsAZone) {
    layer();
    ASSERT_EQ(bcast(own), MPI_SUCCESS);
    EXPECT_EQ(layer().zone, 1U);
}

// ---- whom it waits for, and what it learns ----------------------------------------------------------------

TEST_F(MeetingRank, ABarrierTeachesWhatAllKnow) {
    layer();
    all_enter_barrier();
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    for (const base::Rank rank : {1, 2, 3}) {
        EXPECT_TRUE(knows(rank, 0)) << rank;
    }
}

TEST_F(MeetingRank, ABarrierEndsWhenTheLastHasEntered) {
    layer();
    enters(1, Collective::barrier);
    enters(2, Collective::barrier);
    unsigned native_before = 1;
    mpi.at_look(30, [&] {
        native_before = mpi.calls("PMPI_Barrier");
        enters(3, Collective::barrier, CollectiveForm::blocking, taught(3));
    });
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    EXPECT_EQ(native_before, 0U) << "MPI is not called before";
    EXPECT_EQ(mpi.calls("PMPI_Barrier"), 1U);
    EXPECT_TRUE(knows(3, 0));
}

TEST_F(MeetingRank, OfThoseWhoAreAheadTheSameCollectiveCounts) {
    layer();
    all_enter_barrier();
    for (const base::Rank rank : {1, 2, 3}) {
        Contribution later;
        later.clock = port.published(knowing({{rank, 1}}));
        enters(rank, Collective::barrier, CollectiveForm::blocking, later);
    }
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    EXPECT_TRUE(knows(2, 0));
    EXPECT_FALSE(knows(2, 1)) << "of the next one";
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    EXPECT_TRUE(knows(2, 1));
}

TEST_F(MeetingRank, ThoseWhoAreBehindAreWaitedFor) {
    layer();
    all_enter_barrier();
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    unsigned before = 0;
    mpi.at_look(30, [&] {
        before = mpi.calls("PMPI_Barrier");
        all_enter_barrier();
    });
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    EXPECT_EQ(before, 1U);
}

TEST_F(MeetingRank, ABroadcastTeachesWhatItsRootKnows) {
    layer();
    for (const base::Rank rank : {1, 2, 3}) {
        enters(rank, Collective::bcast, CollectiveForm::blocking, taught(rank, {.root = 2}));
    }
    ASSERT_EQ(bcast(2), MPI_SUCCESS);
    EXPECT_FALSE(knows(1, 0));
    EXPECT_TRUE(knows(2, 0));
    EXPECT_FALSE(knows(3, 0));
}

TEST_F(MeetingRank, ABroadcastWaitsForItsRootAlone) {
    layer();
    mpi.at_look(30, [&] {
        EXPECT_EQ(port.board().blocked.waits.count, 1U);
        EXPECT_EQ(port.board().blocked.waits.items[0].peer, 2);
        EXPECT_EQ(port.board().blocked.waits.items[0].kind, WaitKind::collective);
        enters(2, Collective::bcast, CollectiveForm::blocking, {.root = 2});
    });
    ASSERT_EQ(bcast(2), MPI_SUCCESS);
}

TEST_F(MeetingRank, TheRootOfABroadcastWaitsForNobody) {
    layer();
    ASSERT_EQ(bcast(own), MPI_SUCCESS);
    EXPECT_EQ(mpi.calls("PMPI_Bcast"), 1U);
    EXPECT_EQ(mpi.calls("PMPI_Test"), 0U) << "it has not looked for progress";
}

TEST_F(MeetingRank, WhereNoDataFlowNobodyIsWaitedFor) {
    layer();
    ASSERT_EQ(bcast(2, 0), MPI_SUCCESS);
    EXPECT_EQ(port.own_readers(base::world_comm).back(), 0U);
}

TEST_F(MeetingRank, TheRootOfAReductionLearnsFromAll) {
    layer();
    for (const base::Rank rank : {1, 2, 3}) {
        enters(rank, Collective::reduce, CollectiveForm::blocking, taught(rank, {.root = own}));
    }
    ASSERT_EQ(reduce(MPI_SUM, own), MPI_SUCCESS);
    EXPECT_TRUE(knows(1, 0) && knows(2, 0) && knows(3, 0));
}

class UnbufferedMeeting : public MeetingRank {
protected:
    UnbufferedMeeting() { port.terms_to_be().buffering = static_cast<std::uint32_t>(replay::Buffering::Kind::zero); }
};

TEST_F(UnbufferedMeeting, WithoutBufferingTheRootOfABroadcastWaitsForAll) {
    layer();
    unsigned before = 1;
    mpi.at_look(30, [&] {
        before = mpi.calls("PMPI_Bcast");
        for (const base::Rank rank : {1, 2, 3}) {
            enters(rank, Collective::bcast, CollectiveForm::blocking, taught(rank, {.root = own}));
        }
    });
    ASSERT_EQ(bcast(own, 2), MPI_SUCCESS);
    EXPECT_EQ(before, 0U);
    EXPECT_TRUE(knows(1, 0) && knows(2, 0) && knows(3, 0));
    EXPECT_EQ(own_part().root, own) << "what must agree is as ever";
    EXPECT_EQ(own_part().sent, 2 * sizeof(int));
}

TEST_F(MeetingRank, WhatIsKnownAnywayNeedsNoReading) {
    have_an_epoch();
    const transport::ClockName stale = port.published(knowing({{own, 0}}));
    const Call call("MPI_Barrier");
    const Flow flow = everyone_to_everyone(world());
    for (const base::Rank rank : {1, 2, 3}) {
        enters(rank, Collective::barrier, CollectiveForm::blocking, {.clock = stale});
    }
    Meeting meeting(layer(), call, world(), flow, publish(layer(), world(), barrier_number, flow, 1));
    meeting.collect(Meeting::Known::news);
    EXPECT_FALSE(meeting.known());
    Meeting all(layer(), call, world(), flow, {.own = port.own_contributions(base::world_comm)[0]});
    all.collect(Meeting::Known::everything);
    ASSERT_TRUE(all.known());
    EXPECT_TRUE(all.known()->clock.vector.knows(own, 0));
}

TEST_F(MeetingRank, CollectingWaitsForNobody) {
    layer();
    enters(2, Collective::barrier, CollectiveForm::blocking, taught(2));
    const Call call("MPI_Ibarrier");
    const Flow flow = everyone_to_everyone(world());
    Meeting meeting(layer(), call, world(), flow, publish(layer(), world(), barrier_number, flow, 1));
    meeting.collect(Meeting::Known::news);
    ASSERT_TRUE(meeting.known());
    EXPECT_TRUE(meeting.known()->clock.vector.knows(2, 0));
    EXPECT_FALSE(knows(2, 0)) << "the program has not been told";
    meeting.learn();
    EXPECT_TRUE(knows(2, 0));
}

// ---- parts that contradict each other ---------------------------------------------------------------------

TEST_F(MeetingRank, TheSameCollectiveContradictsNothing) {
    layer();
    all_enter_barrier();
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    EXPECT_TRUE(mismatches().empty());
    EXPECT_EQ(port.board().mismatch, 0U);
}

TEST_F(MeetingRank, AnotherCollectiveIsWrittenDown) {
    layer();
    enters(1, Collective::bcast, CollectiveForm::blocking, {.root = 1, .site = 77, .sent = 8});
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    ASSERT_EQ(mismatches().size(), 1U);
    const MismatchRecord mismatch = mismatches()[0];
    EXPECT_EQ(mismatch.comm, base::world_comm);
    EXPECT_EQ(mismatch.sequence, 0U);
    EXPECT_EQ(mismatch.peer, 1);
    EXPECT_EQ(mismatch.own.operation, barrier_number);
    EXPECT_EQ(mismatch.own.site, own_part().site);
    EXPECT_EQ(mismatch.theirs.operation, bcast_number);
    EXPECT_EQ(mismatch.theirs.root, 1);
    EXPECT_EQ(mismatch.theirs.site, 77U);
    EXPECT_EQ(mismatch.theirs.sent, 8U);
    EXPECT_EQ(port.board().mismatch, 1U);
}

TEST_F(MeetingRank, AfterAnotherCollectiveNobodyIsWaitedFor) {
    layer();
    enters(1, Collective::bcast, CollectiveForm::blocking, {.root = 1});
    look_at_call("PMPI_Barrier");
    ASSERT_EQ(barrier(), MPI_SUCCESS) << "though ranks 2 and 3 are not there";
    EXPECT_EQ(inside, Activity::blocked_in_library) << "what comes then is the library's business";
}

TEST_F(MeetingRank, AnotherCollectiveThatIsSeenWhileItWaitsEndsTheWait) {
    layer();
    enters(1, Collective::barrier);
    enters(2, Collective::barrier);
    mpi.at_look(30, [&] { enters(3, Collective::bcast, CollectiveForm::blocking, {.root = 3}); });
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    ASSERT_EQ(mismatches().size(), 1U);
    EXPECT_EQ(mismatches()[0].peer, 3);
}

TEST_F(MeetingRank, AnotherFormIsAnotherCollective) {
    layer();
    enters(1, Collective::barrier, CollectiveForm::nonblocking);
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    EXPECT_EQ(mismatches().size(), 1U);
}

TEST_F(MeetingRank, AnotherRootIsAMismatch) {
    layer();
    enters(1, Collective::bcast, CollectiveForm::blocking, {.root = 1});
    ASSERT_EQ(bcast(own), MPI_SUCCESS);
    ASSERT_EQ(mismatches().size(), 1U);
    EXPECT_EQ(mismatches()[0].own.root, own);
    EXPECT_EQ(mismatches()[0].theirs.root, 1);
}

TEST_F(MeetingRank, WithAnotherOperatorAllAreWaitedForNevertheless) {
    layer();
    const auto enter = [&](base::Rank rank, Reduction reduction) {
        enters(rank, Collective::allreduce, CollectiveForm::blocking,
               taught(rank, {.reduction = static_cast<std::uint32_t>(reduction)}));
    };
    enter(1, Reduction::max);
    enter(2, Reduction::sum);
    unsigned before = 1;
    mpi.at_look(30, [&] {
        before = mpi.calls("PMPI_Allreduce");
        enter(3, Reduction::sum);
    });
    ASSERT_EQ(allreduce(MPI_SUM), MPI_SUCCESS);
    EXPECT_EQ(before, 0U);
    ASSERT_EQ(mismatches().size(), 1U);
    EXPECT_EQ(mismatches()[0].peer, 1);
    EXPECT_EQ(mismatches()[0].theirs.reduction, static_cast<std::uint32_t>(Reduction::max));
    EXPECT_TRUE(knows(3, 0));
}

TEST_F(MeetingRank, AfterDifferentAmountsNobodyIsWaitedForAnyMore) {
    layer();
    enters(2, Collective::bcast, CollectiveForm::blocking, {.root = 2, .sent = 16});
    ASSERT_EQ(bcast(2, 1), MPI_SUCCESS);
    ASSERT_EQ(mismatches().size(), 1U);
    EXPECT_EQ(mismatches()[0].theirs.sent, 16U);
    EXPECT_EQ(mismatches()[0].own.received, sizeof(int));
    ASSERT_EQ(barrier(), MPI_SUCCESS) << "nobody is there";
    EXPECT_GE(not_modelled("collectives after ones that do not fit"), 1U);
}

TEST_F(MeetingRank, OfThoseThatDoTheSameAgainOnlyTheClockIsLookedAt) {
    layer();
    for (std::uint64_t round = 0; round < 3; ++round) {
        for (const base::Rank rank : {1, 2, 3}) {
            enters(rank, Collective::barrier, CollectiveForm::blocking,
                   {.clock = port.published(knowing({{rank, round}}))});
        }
        ASSERT_EQ(barrier(), MPI_SUCCESS);
        EXPECT_TRUE(knows(3, round));
        EXPECT_EQ(port.own_readers(base::world_comm).back(), 0U) << "nothing need be kept for anyone";
        // The first of them, which agrees, is enough to know that such parts do.
        EXPECT_EQ(port.contributions_read, 1U);
    }
    enters(1, Collective::barrier, CollectiveForm::blocking, taught(1));
    enters(2, Collective::allreduce, CollectiveForm::blocking, taught(2));
    enters(3, Collective::barrier, CollectiveForm::blocking, taught(3));
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    ASSERT_EQ(mismatches().size(), 1U);
    EXPECT_EQ(mismatches()[0].peer, 2);
}

TEST_F(MeetingRank, ThoseThatDoTheSameCanContradictEachOther) {
    layer();
    for (int round = 0; round < 2; ++round) {
        for (const base::Rank rank : {1, 2, 3}) {  // what each sends is more than what each receives
            enters(rank, Collective::allgather, CollectiveForm::blocking,
                   taught(rank, {.sent = 2 * sizeof(int), .received = sizeof(int)}));
        }
    }
    const auto allgather = [&] {
        return MPI_Allgather(from.data(), 2, MPI_INT, to.data(), 1, MPI_INT, MPI_COMM_WORLD);
    };
    ASSERT_EQ(allgather(), MPI_SUCCESS);
    EXPECT_EQ(port.contributions_read, 3U);
    EXPECT_EQ(mismatches().size(), 1U);
}

TEST_F(MeetingRank, TheCollectiveOfDifferentAmountsItselfIsWaitedFor) {
    layer();
    const auto enter = [&](base::Rank rank, std::uint64_t bytes) {
        enters(rank, Collective::allreduce, CollectiveForm::blocking,
               taught(rank, {.reduction = static_cast<std::uint32_t>(Reduction::sum), .sent = bytes}));
    };
    enter(1, 2 * sizeof(int));
    enter(2, sizeof(int));
    mpi.at_look(30, [&] { enter(3, sizeof(int)); });
    ASSERT_EQ(allreduce(MPI_SUM), MPI_SUCCESS);
    EXPECT_TRUE(knows(3, 0));
    EXPECT_EQ(mismatches().size(), 1U);
}

TEST_F(MeetingRank, ARankThatReadsNobodyLooksAtTheTwoBesideIt) {
    for (const base::Rank other : {1, 2, 3}) {
        layer();
        const std::size_t before = mismatches().size();
        const auto sequence = static_cast<std::uint64_t>(world().collectives);
        for (const base::Rank rank : {1, 2, 3}) {
            enters(rank, rank == other ? Collective::barrier : Collective::bcast, CollectiveForm::blocking,
                   {.root = rank == other ? transport::no_root : own});
        }
        const Flow flow = bcast_flow(world(), 1, MPI_INT, own);
        const Call call("MPI_Bcast");
        Meeting meeting(layer(), call, world(), flow,
                        publish(layer(), world(), bcast_number, flow, 100 + static_cast<std::uint64_t>(other)));
        meeting.await();
        if (other == 2) {
            EXPECT_EQ(mismatches().size(), before) << "it is not beside this rank";
        } else {
            ASSERT_EQ(mismatches().size(), before + 1);
            EXPECT_EQ(mismatches().back().peer, other);
            EXPECT_EQ(mismatches().back().sequence, sequence);
        }
    }
}

TEST_F(MeetingRank, OfACallInALoopTheFirstIsWrittenDown) {
    layer();
    for (int i = 0; i < 3; ++i) {
        enters(1, Collective::barrier);
        ASSERT_EQ(bcast(own), MPI_SUCCESS);
    }
    EXPECT_EQ(mismatches().size(), 1U);
    enters(1, Collective::barrier);
    ASSERT_EQ(reduce(MPI_SUM, 2), MPI_SUCCESS) << "another call";
    EXPECT_EQ(mismatches().size(), 2U);
}

TEST_F(MeetingRank, NothingIsComparedWithARankWhoseNumbersAreOff) {
    layer();
    enters(1, Collective::barrier);
    port.disordered_by(1, base::world_comm);
    ASSERT_EQ(bcast(own), MPI_SUCCESS);
    EXPECT_TRUE(mismatches().empty());
}

// ---- inside the MPI library -------------------------------------------------------------------------------

TEST_F(MeetingRank, WhereAllHaveEnteredMpiNeedNotWait) {
    layer();
    all_enter_barrier();
    look_at_call("PMPI_Barrier");
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    EXPECT_EQ(inside, Activity::computing);
}

TEST_F(MeetingRank, WhereSomeHaveNotMpiMayWait) {
    layer();
    enters(1, Collective::bcast, CollectiveForm::blocking, {.root = own});
    look_at_call("PMPI_Bcast");
    ASSERT_EQ(bcast(own), MPI_SUCCESS);
    EXPECT_EQ(inside, Activity::blocked_in_library);
    EXPECT_EQ(awaited.kind, WaitKind::collective);
    EXPECT_EQ(awaited.peer, base::any_source) << "for whom is the library's secret";
    EXPECT_EQ(awaited.comm, base::world_comm);
    EXPECT_EQ(awaited.number, 0U);
    for (const base::Rank rank : {1, 2, 3}) {
        enters(rank, Collective::bcast, CollectiveForm::blocking, {.root = own});
    }
    for (const base::Rank rank : {2, 3}) {
        enters(rank, Collective::bcast, CollectiveForm::blocking, {.root = own});
    }
    ASSERT_EQ(bcast(own), MPI_SUCCESS);
    EXPECT_EQ(inside, Activity::computing);
}

// ---- collectives that MPI refuses -------------------------------------------------------------------------

TEST_F(MeetingRank, ARefusedCollectiveTeachesNothing) {
    layer();
    all_enter_barrier();
    mpi.refuse("PMPI_Barrier", MPI_ERR_OTHER);
    EXPECT_EQ(barrier(), MPI_ERR_OTHER);
    EXPECT_FALSE(knows(1, 0));
    EXPECT_TRUE(port.own_disordered(base::world_comm));
}

TEST_F(MeetingRank, AfterARefusedOneNothingIsComparedAndNobodyIsWaitedFor) {
    layer();
    mpi.refuse("PMPI_Bcast", MPI_ERR_OTHER);
    EXPECT_EQ(bcast(own), MPI_ERR_OTHER);
    EXPECT_EQ(not_modelled(after_a_refused_one), 0U) << "only those that follow";
    enters(1, Collective::bcast, CollectiveForm::blocking, {.root = own});
    enters(1, Collective::bcast, CollectiveForm::blocking, {.root = 1});
    look_at_call("PMPI_Barrier");
    ASSERT_EQ(barrier(), MPI_SUCCESS);
    EXPECT_EQ(inside, Activity::blocked_in_library);
    EXPECT_EQ(not_modelled(after_a_refused_one), 1U);
    EXPECT_TRUE(mismatches().empty());
}

// ---- nonblocking and persistent ones ----------------------------------------------------------------------

TEST_F(MeetingRank, ANonblockingOneIsEnteredWhenItBegins) {
    have_an_epoch();
    MPI_Request request = MPI_REQUEST_NULL;
    ASSERT_EQ(MPI_Ibarrier(MPI_COMM_WORLD, &request), MPI_SUCCESS);
    EXPECT_EQ(own_part().operation, operation_number(Collective::barrier, CollectiveForm::nonblocking));
    EXPECT_TRUE(port.clock(own_part().clock).vector.knows(own, 0));
    EXPECT_EQ(layer().zone, 1U);
}

TEST_F(MeetingRank, ANonblockingOneTeachesWhenItHasCompleted) {
    layer();
    MPI_Request request = MPI_REQUEST_NULL;
    ASSERT_EQ(MPI_Ibarrier(MPI_COMM_WORLD, &request), MPI_SUCCESS);
    all_enter_barrier(CollectiveForm::nonblocking);
    mpi.find(request)->complete = true;
    EXPECT_FALSE(knows(2, 0));
    wait(request);
    EXPECT_TRUE(knows(1, 0) && knows(2, 0) && knows(3, 0));
    EXPECT_EQ(world().collectives, 1U) << "it is entered once";
}

TEST_F(MeetingRank, ANonblockingOneComparesWhenItBeginsAndWhenItEnds) {
    layer();
    MPI_Request request = MPI_REQUEST_NULL;
    enters(1, Collective::barrier, CollectiveForm::nonblocking);
    ASSERT_EQ(MPI_Ibcast(from.data(), 1, MPI_INT, 2, MPI_COMM_WORLD, &request), MPI_SUCCESS);
    ASSERT_EQ(mismatches().size(), 1U);
    EXPECT_EQ(mismatches()[0].peer, 1);
    mpi.find(request)->complete = true;
    wait(request);

    enters(1, Collective::bcast, CollectiveForm::nonblocking, {.root = 2});
    ASSERT_EQ(MPI_Ibcast(from.data(), 1, MPI_INT, 2, MPI_COMM_WORLD, &request), MPI_SUCCESS);
    EXPECT_EQ(mismatches().size(), 1U);
    enters(2, Collective::barrier, CollectiveForm::nonblocking);
    enters(2, Collective::barrier, CollectiveForm::nonblocking);
    mpi.find(request)->complete = true;
    wait(request);
    ASSERT_EQ(mismatches().size(), 2U) << "with the root, which it gets data from";
    EXPECT_EQ(mismatches()[1].peer, 2);
}

TEST_F(MeetingRank, ANonblockingOneThatMpiRefusesIsNoRequest) {
    layer();
    MPI_Request request = MPI_REQUEST_NULL;
    mpi.refuse("PMPI_Ibarrier", MPI_ERR_OTHER);
    EXPECT_EQ(MPI_Ibarrier(MPI_COMM_WORLD, &request), MPI_ERR_OTHER);
    EXPECT_TRUE(port.own_disordered(base::world_comm));
    unsigned followed = 0;
    layer().requests.for_each([&](const Request&) { ++followed; });
    EXPECT_EQ(followed, 0U);
}

TEST_F(MeetingRank, APersistentOneMeetsTheOthersWhenItIsMadeAndApartFromThemWhenItIsStarted) {
    layer();
    MPI_Request request = MPI_REQUEST_NULL;
    ASSERT_EQ(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request), MPI_SUCCESS);
    EXPECT_EQ(own_part().operation, operation_number(Collective::barrier, CollectiveForm::persistent));
    EXPECT_EQ(port.own_readers(base::world_comm).back(), 0U) << "no data flow yet";
    const base::CommId apart = layer().requests.find(request)->communicator->id;
    EXPECT_NE(apart, base::world_comm);
    for (std::uint64_t start = 0; start < 2; ++start) {
        ASSERT_EQ(MPI_Start(&request), MPI_SUCCESS);
        ASSERT_EQ(port.own_contributions(apart).size(), start + 1);
        EXPECT_EQ(port.own_readers(apart).back(), 3U);
        Contribution part{.operation = operation_number(Collective::barrier, CollectiveForm::persistent)};
        part.clock = port.published(knowing({{2, static_cast<std::uint32_t>(start)}}));
        port.entered_by(2, apart, part);
        mpi.find(request)->complete = true;
        EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
        EXPECT_TRUE(knows(2, static_cast<std::uint32_t>(start)));
    }
    EXPECT_EQ(world().collectives, 1U) << "its starts are not the world's";
}

TEST_F(MeetingRank, APersistentOneThatDoesNotMatchIsSeenWhenItIsMade) {
    layer();
    MPI_Request request = MPI_REQUEST_NULL;
    enters(3, Collective::barrier);
    ASSERT_EQ(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request), MPI_SUCCESS);
    ASSERT_EQ(mismatches().size(), 1U);
    EXPECT_EQ(mismatches()[0].peer, 3);
    ASSERT_EQ(MPI_Start(&request), MPI_SUCCESS);
    port.entered_by(1, layer().requests.find(request)->communicator->id, {.operation = bcast_number});
    mpi.find(request)->complete = true;
    EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(mismatches().size(), 1U) << "and then no more";
}

}  // namespace
}  // namespace dampi::piggyback::distributed
