// piggyback/distributed/waiting.hpp: what a rank that waits shows of it, when it answers that it is blocked, and how it
// ends when the run is over.
#include "piggyback/distributed/waiting.hpp"
#include "tests/unit/piggyback/distributed/rank_under_test.hpp"
#include "transport/log.hpp"

#include <array>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

namespace dampi::piggyback::distributed {
namespace {

using transport::Activity;
using transport::Collective;
using transport::CollectiveForm;
using transport::MatchedRecord;
using transport::WaitItem;
using transport::WaitKind;

/// What a rank shows of its wait.
struct Shown {
    Activity activity = Activity::computing;
    bool any = false;
    std::vector<WaitItem> items;
    std::string call;
    std::size_t threads = 0;
};

class WaitingRank : public RankUnderTest {
protected:
    using RankUnderTest::RankUnderTest;

    Shown shown() {
        const auto& blocked = port.board().blocked;
        EXPECT_EQ(blocked.sequence % 2, 0U) << "it is written";
        Shown found{.activity = blocked.activity, .threads = blocked.waiting_count};
        if (found.activity == Activity::computing) {
            return found;
        }
        found.any = blocked.waits.any != 0;
        found.call = blocked.call;
        for (std::uint32_t i = 0; i < blocked.waits.count; ++i) {
            found.items.push_back(i < transport::wait_items ? blocked.waits.items[i]
                                                            : static_cast<WaitItem*>(port.list(
                                                                  blocked.waits.more))[i - transport::wait_items]);
        }
        return found;
    }

    /// Whether anything was ever shown.
    bool was_shown() { return port.board().blocked.sequence != 0; }

    /// When the rank looks for the n-th time: keeps what it shows, and does that.
    void when_blocked(std::function<void()> happens, unsigned n = long_after) {
        layer();
        mpi.at_look(n, [this, happens] {
            seen = shown();
            happens();
        });
    }
    /// A look at which the rank has been showing its wait for long.
    static constexpr unsigned long_after = 40;

    std::vector<WaitKind> kinds() {
        std::vector<WaitKind> found;
        for (const WaitItem& item : seen.items) {
            found.push_back(item.kind);
        }
        return found;
    }

    Shown seen;
};

// ---- what is shown ----------------------------------------------------------------------------------------

TEST_F(WaitingRank, AShortWaitIsNotShown) {
    layer();
    mpi.at_look(2, [&] { message(1, 7); });
    receive(1, 7);
    EXPECT_FALSE(was_shown());
}

TEST_F(WaitingRank, ALongWaitIsShownUntilItIsOver) {
    when_blocked([&] { message(1, 7); });
    receive(1, 7);
    EXPECT_EQ(seen.activity, Activity::blocked);
    EXPECT_EQ(seen.call, "MPI_Recv");
    EXPECT_EQ(seen.threads, 1U);
    EXPECT_EQ(port.board().blocked.waiting[0], gettid());
    EXPECT_EQ(shown().activity, Activity::computing);
    EXPECT_EQ(shown().threads, 0U);
}

TEST_F(WaitingRank, AReceiveWaitsForItsSourceWithItsTag) {
    when_blocked([&] { message(2, 7); });
    receive(2, 7);
    ASSERT_EQ(seen.items.size(), 1U);
    EXPECT_EQ(seen.items[0].kind, WaitKind::receive);
    EXPECT_EQ(seen.items[0].peer, 2);
    EXPECT_EQ(seen.items[0].tag, 7);
    EXPECT_EQ(seen.items[0].comm, base::world_comm);
    EXPECT_EQ(seen.items[0].number, 1U) << "the first that was posted";
    EXPECT_EQ(seen.items[0].forced, 0U);
    EXPECT_EQ(seen.items[0].group, 0U) << "anybody of the world may be meant";
    EXPECT_FALSE(seen.any);
}

TEST_F(WaitingRank, AWildcardReceiveWaitsForAnybody) {
    when_blocked([&] { message(2, 7); });
    receive(MPI_ANY_SOURCE, 7);
    ASSERT_EQ(seen.items.size(), 1U);
    EXPECT_EQ(seen.items[0].peer, base::any_source);
    EXPECT_EQ(seen.items[0].forced, 0U);
}

TEST_F(WaitingRank, AWildcardReceiveThatIsDecidedWaitsForThatSource) {
    decide_source(0, 3, 7);
    when_blocked([&] {
        message(1, 7);
        message(3, 7);
    });
    EXPECT_EQ(receive(MPI_ANY_SOURCE, 7).MPI_SOURCE, 3);
    ASSERT_EQ(seen.items.size(), 1U);
    EXPECT_EQ(seen.items[0].peer, 3);
    EXPECT_EQ(seen.items[0].forced, 1U);
}

TEST_F(WaitingRank, AWaitForAllNeedsWhatHasNotCompleted) {
    std::array requests{start_receive(1, 7), start_receive(2, 7), start_receive(3, 7)};
    message(2, 7);
    when_blocked([&] {
        message(1, 7);
        message(3, 7);
    });
    EXPECT_EQ(MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    ASSERT_EQ(seen.items.size(), 2U);
    EXPECT_EQ(seen.items[0].peer, 1);
    EXPECT_EQ(seen.items[1].peer, 3);
    EXPECT_FALSE(seen.any);
    EXPECT_EQ(seen.call, "MPI_Waitall");
}

TEST_F(WaitingRank, AWaitForAnyNeedsOneOfThem) {
    std::array requests{start_receive(1, 7), start_receive(2, 7)};
    when_blocked([&] { message(2, 7); });
    int index = -1;
    EXPECT_EQ(MPI_Waitany(2, requests.data(), &index, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(index, 1);
    EXPECT_EQ(seen.items.size(), 2U);
    EXPECT_TRUE(seen.any);
    message(1, 7);
    wait(requests[0]);
}

TEST_F(WaitingRank, WhatDoesNotFitIntoItsPlaceIsShownElsewhere) {
    constexpr int count = transport::wait_items + 5;
    std::vector<MPI_Request> requests;
    for (int tag = 0; tag < count; ++tag) {
        requests.push_back(start_receive(1, tag));
    }
    when_blocked([&] {
        for (int tag = 0; tag < count; ++tag) {
            message(1, tag);
        }
    });
    EXPECT_EQ(MPI_Waitall(count, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    ASSERT_EQ(seen.items.size(), std::size_t{count});
    for (int tag = 0; tag < count; ++tag) {
        EXPECT_EQ(seen.items[static_cast<std::size_t>(tag)].tag, tag);
    }
}

TEST_F(WaitingRank, ASendWaitsForItsReceiver) {
    layer();
    mpi.hold_sends();
    MPI_Request request = MPI_REQUEST_NULL;
    ASSERT_EQ(MPI_Issend(nullptr, 0, MPI_INT, 2, 7, MPI_COMM_WORLD, &request), MPI_SUCCESS);
    ASSERT_EQ(port.sent_to(2).size(), 1U);
    when_blocked([&] {
        port.taken({.destination = 2, .position = 0, .place = port.sent_to(2)[0].get()});
        mpi.complete_sends();
    });
    wait(request);
    ASSERT_EQ(seen.items.size(), 1U);
    EXPECT_EQ(seen.items[0].kind, WaitKind::send);
    EXPECT_EQ(seen.items[0].peer, 2);
    EXPECT_EQ(seen.items[0].tag, 7);
    EXPECT_EQ(seen.items[0].synchronous, 1U);
}

TEST_F(WaitingRank, ASendThatNeedNotBeReceivedIsNotSynchronous) {
    layer();
    mpi.hold_sends();
    MPI_Request request = MPI_REQUEST_NULL;
    ASSERT_EQ(MPI_Isend(nullptr, 0, MPI_INT, 2, 7, MPI_COMM_WORLD, &request), MPI_SUCCESS);
    when_blocked([&] { mpi.complete_sends(); });
    wait(request);
    EXPECT_EQ(kinds(), std::vector{WaitKind::send});
    EXPECT_EQ(seen.items[0].synchronous, 0U);
}

TEST_F(WaitingRank, AGeneralizedRequestWaitsForTheRankItselfUnlessItHasOtherThreads) {
    const auto query = [](void*, MPI_Status* status) {
        status->MPI_SOURCE = MPI_UNDEFINED;
        return MPI_SUCCESS;
    };
    const auto release = [](void*) { return MPI_SUCCESS; };
    const auto cancel = [](void*, int) { return MPI_SUCCESS; };
    for (const auto& [several_threads, kind] :
         {std::pair(false, WaitKind::own_completion), std::pair(true, WaitKind::foreign)}) {
        layer().multithreaded = several_threads;
        MPI_Request request = MPI_REQUEST_NULL;
        ASSERT_EQ(MPI_Grequest_start(query, release, cancel, nullptr, &request), MPI_SUCCESS);
        const MPI_Request started = request;
        when_blocked([&] { EXPECT_EQ(MPI_Grequest_complete(started), MPI_SUCCESS); });
        wait(request);
        EXPECT_EQ(kinds(), std::vector{kind});
    }
    layer().multithreaded = false;
}

TEST_F(WaitingRank, AProbeWaitsForAMessage) {
    when_blocked([&] { message(3, 7); });
    layer();
    EXPECT_EQ(MPI_Probe(3, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(kinds(), std::vector{WaitKind::probe});
    EXPECT_EQ(seen.items[0].peer, 3);
    receive(3, 7);
}

TEST_F(WaitingRank, ABarrierWaitsForThoseWhoHaveNotEnteredIt) {
    layer();
    enters(2, Collective::barrier);
    when_blocked([&] {
        enters(1, Collective::barrier);
        enters(3, Collective::barrier);
    });
    EXPECT_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    ASSERT_EQ(kinds(), (std::vector{WaitKind::collective, WaitKind::collective}));
    EXPECT_EQ(seen.items[0].peer, 1);
    EXPECT_EQ(seen.items[1].peer, 3);
    EXPECT_EQ(seen.items[0].comm, base::world_comm);
    EXPECT_EQ(seen.items[0].number, 0U) << "the communicator's first";
}

TEST_F(WaitingRank, ANonblockingBarrierWaitsForThoseWhoHaveNotEnteredIt) {
    layer();
    MPI_Request request = MPI_REQUEST_NULL;
    ASSERT_EQ(MPI_Ibarrier(MPI_COMM_WORLD, &request), MPI_SUCCESS);
    const MPI_Request started = request;
    for (const base::Rank rank : {1, 2}) {
        enters(rank, Collective::barrier, CollectiveForm::nonblocking);
    }
    when_blocked([&] { mpi.find(started)->complete = true; });
    wait(request);
    ASSERT_EQ(kinds(), std::vector{WaitKind::collective});
    EXPECT_EQ(seen.items[0].peer, 3);
}

TEST_F(WaitingRank, ANonblockingBarrierThatAllHaveEnteredWaitsForTheLibrary) {
    layer();
    MPI_Request request = MPI_REQUEST_NULL;
    ASSERT_EQ(MPI_Ibarrier(MPI_COMM_WORLD, &request), MPI_SUCCESS);
    const MPI_Request started = request;
    for (const base::Rank rank : {1, 2, 3}) {
        enters(rank, Collective::barrier, CollectiveForm::nonblocking);
    }
    when_blocked([&] { mpi.find(started)->complete = true; });
    wait(request);
    ASSERT_EQ(kinds(), std::vector{WaitKind::collective});
    EXPECT_EQ(seen.items[0].peer, base::any_source);
}

// ---- waits inside the MPI library ---------------------------------------------------------------------------

TEST_F(WaitingRank, ACallThatMayBlockInTheLibraryIsShownAtOnce) {
    layer();
    const Call call("MPI_Something");
    const int result = blocked_in_library(call, [&] {
        seen = shown();
        return 5;
    });
    EXPECT_EQ(result, 5);
    EXPECT_EQ(seen.activity, Activity::blocked_in_library);
    EXPECT_EQ(seen.call, "MPI_Something");
    EXPECT_EQ(kinds(), std::vector{WaitKind::other});
    EXPECT_EQ(shown().activity, Activity::computing);
}

TEST_F(WaitingRank, OfNestedWaitsTheInnermostIsShown) {
    layer();
    const Call outer("MPI_Outer");
    const BlockedInLibrary around(layer(), outer, {.kind = WaitKind::other});
    {
        const Call inner("MPI_Inner");
        const BlockedInLibrary inside(layer(), inner, {.kind = WaitKind::probe});
        seen = shown();
    }
    EXPECT_EQ(seen.call, "MPI_Inner");
    EXPECT_EQ(kinds(), std::vector{WaitKind::probe});
}

// ---- several threads ----------------------------------------------------------------------------------------

/// Another thread of the program that is in a wait, until it is released.
class OtherThread {
public:
    OtherThread(DistributedLayer& layer, const char* function, const WaitItem& item)
        : thread_([this, &layer, function, item] {
              const Call call(function);
              {
                  const BlockedInLibrary blocked(layer, call, item);
                  id = gettid();
                  step(Step::waits);
                  await(Step::released);
              }
              step(Step::goes_on);
          }) {
        await(Step::waits);
        layer.locks_calls = false;  // who comes when is for the test to say
    }
    ~OtherThread() {
        if (thread_.joinable()) {
            end();
        }
    }
    OtherThread(const OtherThread&) = delete;
    OtherThread& operator=(const OtherThread&) = delete;
    void end() {
        step(Step::released);
        await(Step::goes_on);
        thread_.join();
    }

    pid_t id = 0;

private:
    enum class Step : std::uint8_t { begins, waits, released, goes_on };
    void step(Step next) {
        const std::lock_guard lock(mutex_);
        step_ = next;
        changed_.notify_all();
    }
    void await(Step wanted) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return step_ >= wanted; });
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    Step step_ = Step::begins;
    std::thread thread_;
};

TEST_F(WaitingRank, WhatAnyOfSeveralThreadsWaitsForIsEnough) {
    layer();
    const Call call("MPI_Mine");
    const BlockedInLibrary mine(layer(), call, {.kind = WaitKind::probe, .peer = 1});
    OtherThread other(layer(), "MPI_Theirs", {.kind = WaitKind::probe, .peer = 2});
    seen = shown();
    ASSERT_EQ(seen.items.size(), 2U);
    EXPECT_EQ(seen.items[0].peer, 1);
    EXPECT_EQ(seen.items[1].peer, 2);
    EXPECT_TRUE(seen.any);
    EXPECT_EQ(seen.call, "MPI_Mine") << "the main thread's";
    EXPECT_EQ(seen.threads, 2U);
    EXPECT_EQ(port.board().blocked.waiting[1], other.id);
    other.end();
    EXPECT_EQ(shown().items.size(), 1U);
    EXPECT_EQ(shown().threads, 1U);
    EXPECT_FALSE(shown().any);
}

TEST_F(WaitingRank, AnotherThreadThatWaitsAloneIsShown) {
    layer();
    OtherThread other(layer(), "MPI_Theirs", {.kind = WaitKind::probe, .peer = 2});
    EXPECT_EQ(shown().call, "MPI_Theirs");
    EXPECT_EQ(shown().activity, Activity::blocked_in_library);
    other.end();
    EXPECT_EQ(shown().activity, Activity::computing);
}

// ---- settle rounds ------------------------------------------------------------------------------------------

TEST_F(WaitingRank, ABlockedRankAnswersARoundOnlyAfterManyLooks) {
    layer();
    std::uint32_t early = 0;
    mpi.at_look(10, [&] { port.ask_round(1); });
    mpi.at_look(10 + waiting_detail::looks_per_round, [&] { early = port.board().settled_round; });
    mpi.at_look(100, [&] {
        EXPECT_EQ(port.board().settled_round, 1U);
        message(1, 7);
    });
    receive(1, 7);
    EXPECT_EQ(early, 0U);
    EXPECT_EQ(port.board().settled_round, 1U);
}

TEST_F(WaitingRank, ARankThatGoesOnDoesNotAnswer) {
    layer();
    mpi.at_look(10, [&] { port.ask_round(1); });
    mpi.at_look(20, [&] { message(1, 7); });
    receive(1, 7);
    EXPECT_EQ(port.board().settled_round, 0U);
}

TEST_F(WaitingRank, AnotherRoundIsAnsweredAnew) {
    layer();
    std::uint32_t early = 0;
    mpi.at_look(10, [&] { port.ask_round(1); });
    mpi.at_look(100, [&] { port.ask_round(2); });
    mpi.at_look(100 + waiting_detail::looks_per_round, [&] { early = port.board().settled_round; });
    mpi.at_look(200, [&] {
        EXPECT_EQ(port.board().settled_round, 2U);
        message(1, 7);
    });
    receive(1, 7);
    EXPECT_EQ(early, 1U);
}

TEST_F(WaitingRank, TheLooksOfAnEarlierRoundDoNotCountInTheNext) {
    layer();
    std::uint32_t early = 0;
    mpi.at_look(10, [&] { port.ask_round(1); });
    mpi.at_look(30, [&] { port.ask_round(2); });
    mpi.at_look(30 + waiting_detail::looks_per_round, [&] { early = port.board().settled_round; });
    mpi.at_look(100, [&] { message(1, 7); });
    receive(1, 7);
    EXPECT_EQ(early, 0U);
    EXPECT_EQ(port.board().settled_round, 2U);
}

TEST_F(WaitingRank, ARoundIsAnsweredWhenAllThreadsHaveAnsweredIt) {
    layer();
    OtherThread other(layer(), "MPI_Theirs", {.kind = WaitKind::other});
    mpi.at_look(10, [&] { port.ask_round(1); });
    mpi.at_look(100, [&] {
        EXPECT_EQ(port.board().settled_round, 0U);
        other.end();
    });
    mpi.at_look(200, [&] { message(1, 7); });
    receive(1, 7);
    EXPECT_EQ(port.board().settled_round, 1U);
}

TEST_F(WaitingRank, WhatHasMatchedMeanwhileIsResolvedForTheRound) {
    MPI_Request other = start_receive(MPI_ANY_SOURCE, 8);
    mpi.at_look(10, [&] { message(2, 8); });
    mpi.at_look(20, [&] {
        EXPECT_TRUE(port.logged<MatchedRecord>().empty());
        port.ask_round(1);
    });
    mpi.at_look(100, [&] {
        EXPECT_EQ(port.logged<MatchedRecord>().size(), 1U);
        message(1, 7);
    });
    receive(1, 7);
    wait(other);
}

TEST_F(WaitingRank, WhatHasCompletedMeanwhileIsNotShownAfterARound) {
    std::array requests{start_receive(1, 7), start_receive(2, 7)};
    layer();
    mpi.at_look(20, [&] { message(1, 7); });
    mpi.at_look(30, [&] {
        EXPECT_EQ(shown().items.size(), 2U) << "as long as nobody asks";
        port.ask_round(1);
    });
    when_blocked([&] { message(2, 7); }, 100);
    EXPECT_EQ(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), MPI_SUCCESS);
    ASSERT_EQ(seen.items.size(), 1U);
    EXPECT_EQ(seen.items[0].peer, 2);
}

// ---- the end of the run -------------------------------------------------------------------------------------

using WaitingRankDeath = WaitingRank;

FakePort* port_of_the_dying = nullptr;

/// Ends the process once the rank is in its epilogue: 0 if it has written what it was doing, and what had matched.
void end_after_epilogue(int /*signal*/) {
    const FakePort& port = *port_of_the_dying;
    if (port.board().settled_round == transport::epilogue_round) {
        const bool told = port.board().situation.written == 1 &&
                          std::string(port.board().situation.call) == "MPI_Recv" &&
                          port.logged<MatchedRecord>().size() == 1;
        _exit(told ? 0 : 1);
    }
}

TEST_F(WaitingRankDeath, ARankWhoseRunIsOverWritesDownWhatItKnowsAndWaitsForItsEnd) {
    EXPECT_EXIT(
        {
            start_receive(MPI_ANY_SOURCE, 8);
            mpi.at_look(10, [&] { message(2, 8); });
            mpi.at_look(20, [&] { port.ask_round(transport::epilogue_round); });
            port_of_the_dying = &port;
            std::signal(SIGALRM, end_after_epilogue);
            ualarm(20'000, 20'000);
            receive(1, 7);
        },
        ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace dampi::piggyback::distributed
