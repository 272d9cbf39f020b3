// The picture of all ranks, read from a real area in memory that the test fills as ranks would.
#include "scheduler/judgement/rank_states.hpp"

#include "transport/lock_records.hpp"
#include "transport/memory/contributions.hpp"
#include "transport/memory/envelope_queue.hpp"
#include "transport/memory/memory_view.hpp"
#include "transport/memory/rank_group.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace dampi::scheduler {
namespace {

using namespace transport;
using namespace transport;
using namespace transport::memory;
using base::any_source;
using base::any_tag;
using base::Rank;
using base::Tag;

constexpr Rank ranks = 3;
/// The kinds that may name whom they wait for.
constexpr WaitKind peers[] = {WaitKind::receive, WaitKind::probe, WaitKind::send,    WaitKind::collective,
                              WaitKind::leader,  WaitKind::post,  WaitKind::complete};

struct RankStatesTest : testing::Test {
    Area area = Area::create(ranks, {});
    std::vector<Slab> slabs{Slab{area, 0}, Slab{area, 1}, Slab{area, 2}};
    EnvelopeWriter writers[ranks][ranks];
    EnvelopeReader readers[ranks][ranks];

    std::optional<std::uint64_t> others;  ///< what is known of threads outside MPI
    std::vector<pid_t> excused;           ///< those that were not asked for

    std::vector<RankState> read(const std::vector<bool>& alive = {true, true, true}) {
        return read_rank_states(memory::MemoryView(area), alive, [this](const std::vector<pid_t>& but) {
            excused = but;
            return others;
        });
    }

    /// As the layer: sequence odd while writing.
    void block(Rank rank, std::vector<WaitItem> items, bool any = false, Activity activity = Activity::blocked) {
        transport::Board::Blocked& state = area.rank(rank).blocked;
        ++state.sequence;
        state.waits.any = any ? 1 : 0;
        state.waits.count = static_cast<std::uint32_t>(items.size());
        for (std::size_t i = 0; i < items.size() && i < wait_items; ++i) {
            state.waits.items[i] = items[i];
        }
        std::strcpy(state.call, "MPI_Recv");
        state.site = 0x1234;
        state.activity = activity;
        ++state.sequence;
    }
    EnvelopeSlot& send(Rank source, Rank destination, Tag tag, std::uint64_t number = 0, base::CommId comm = 1) {
        return writers[source][destination].append(area, slabs[static_cast<std::size_t>(source)],
                                                   area.queue(source, destination),
                                                   {.comm = comm, .tag = tag, .number = number});
    }
    PostedSlot& post(Rank rank, Rank source, Tag tag, base::CommId comm = 1, Rank forced = any_source) {
        const std::uint64_t index = area.rank(rank).posted_high++;
        PostedSlot& slot = area.posted(rank, index);
        slot.source = source;
        slot.tag = tag;
        slot.comm = comm;
        slot.forced = forced;
        slot.state = PostedState::pending;
        return slot;
    }
    /// Whether rank 0, blocked in just this, could go on.
    bool could(const WaitItem& item) {
        block(0, {item});
        const auto states = read();
        EXPECT_TRUE(states[0].blocked);
        return states[0].waits.at(0).may_be_satisfied;
    }
    static WaitItem receive(Rank source, Tag tag, base::CommId comm = 1, WaitKind kind = WaitKind::receive) {
        return {.kind = kind, .forced = 0, .peer = source, .tag = tag, .comm = comm, .number = 0};
    }
};

TEST_F(RankStatesTest, ARankWithThreadsIsBlockedWhenTheOthersWaitForOneThatIs) {
    RankHeader& header = area.rank(0);
    header.multithreaded = 2;
    header.library_thread_count = 1;
    header.library_threads[0] = 77;
    header.blocked.waiting_count = 2;
    header.blocked.waiting[0] = 11;
    header.blocked.waiting[1] = 12;
    block(0, {receive(1, 5)});
    EXPECT_FALSE(read()[0].blocked);
    EXPECT_EQ(excused, (std::vector<pid_t>{11, 12, 77}));
    others = 42;
    EXPECT_TRUE(read()[0].blocked);
    EXPECT_EQ(read()[0].other_threads, 42U);
    block(0, {receive(1, 5)}, false, Activity::blocked_in_library);
    EXPECT_FALSE(read()[0].blocked);
    header.multithreaded = 0;
    EXPECT_TRUE(read()[0].blocked);
    header.multithreaded = 1;
    header.blocked.waiting_count = 1'000'000;  // garbage
    header.library_thread_count = 1'000'000;
    EXPECT_FALSE(read()[0].blocked);
}

TEST_F(RankStatesTest, RanksThatHaveNotBegun) {
    const auto states = read({true, false, true});
    ASSERT_EQ(states.size(), 3U);
    EXPECT_TRUE(states[0].alive);
    EXPECT_FALSE(states[1].alive);
    EXPECT_FALSE(states[0].blocked);
    EXPECT_FALSE(states[0].finalized);
}

TEST_F(RankStatesTest, WhatARankSaysIsRead) {
    block(1, {receive(2, 7, 9), {.kind = WaitKind::send, .forced = 1, .peer = 0, .tag = 3, .comm = 4, .number = 5}},
          true, Activity::blocked_in_library);
    area.rank(1).settled_round = 17;
    area.rank(1).transport_events = 18;
    area.rank(2).phase = Phase::finalized;
    const auto states = read();
    const RankState& state = states[1];
    EXPECT_TRUE(state.blocked);
    EXPECT_TRUE(state.in_library);
    EXPECT_TRUE(state.any);
    EXPECT_EQ(state.sequence, 2U);
    EXPECT_EQ(state.settled_round, 17U);
    EXPECT_EQ(state.transport_events, 18U);
    EXPECT_EQ(state.call, "MPI_Recv");
    EXPECT_EQ(state.site, 0x1234U);
    ASSERT_EQ(state.waits.size(), 2U);
    EXPECT_EQ(state.waits[0].kind, WaitKind::receive);
    EXPECT_EQ(state.waits[0].peer, 2);
    EXPECT_EQ(state.waits[0].tag, 7);
    EXPECT_EQ(state.waits[0].comm, 9U);
    EXPECT_FALSE(state.waits[0].forced);
    EXPECT_EQ(state.waits[1].kind, WaitKind::send);
    EXPECT_TRUE(state.waits[1].forced);
    EXPECT_EQ(state.waits[1].number, 5U);
    EXPECT_TRUE(states[2].finalized);
    EXPECT_FALSE(states[1].finalized);
}

TEST_F(RankStatesTest, ARankInTheMiddleOfAChangeIsNotBlocked) {
    block(0, {receive(1, 0)});
    ASSERT_TRUE(read()[0].blocked);
    ++area.rank(0).blocked.sequence;
    EXPECT_FALSE(read()[0].blocked);
    ++area.rank(0).blocked.sequence;
    area.rank(0).blocked.activity = Activity::computing;
    EXPECT_FALSE(read()[0].blocked);
}

TEST_F(RankStatesTest, OneBlockedThreadOfSeveralDoesNotBlockTheRank) {
    block(0, {receive(1, 0)});
    area.rank(0).multithreaded = 1;
    EXPECT_FALSE(read()[0].blocked);
}

TEST_F(RankStatesTest, AWaitForSomethingForeignIsMarked) {
    block(0, {receive(1, 0), {.kind = WaitKind::foreign, .forced = 0, .peer = 1, .tag = 0, .comm = 1, .number = 0}});
    block(1, {receive(1, 0)});
    const auto states = read();
    EXPECT_TRUE(states[0].foreign);
    EXPECT_TRUE(states[0].waits.at(1).may_be_satisfied);
    EXPECT_FALSE(states[1].foreign);
}

TEST_F(RankStatesTest, ARankThatPollsWaitsForTheRestAllTheSame) {
    block(0,
          {{.kind = WaitKind::poll, .forced = 0, .peer = any_source, .tag = 0, .comm = 0, .number = 0}, receive(1, 5)},
          true);
    block(1, {receive(2, 5)});
    auto states = read();
    EXPECT_TRUE(states[0].polls);
    ASSERT_EQ(states[0].waits.size(), 1U);
    EXPECT_EQ(states[0].waits[0].kind, WaitKind::receive);
    EXPECT_FALSE(states[0].waits[0].may_be_satisfied);
    EXPECT_FALSE(states[1].polls);
}

TEST_F(RankStatesTest, MoreWaitsThanFitLieInTheSlab) {
    std::vector<WaitItem> items;
    for (Tag tag = 0; tag < 100; ++tag) {
        items.push_back(receive(1, tag));
    }
    transport::Board::WaitList& list = area.rank(0).blocked.waits;
    list.more = slabs[0].allocate(sizeof(WaitItem) * (items.size() - wait_items));
    std::copy(items.begin() + wait_items, items.end(), &area.at<WaitItem>(list.more));
    block(0, items);
    const auto states = read();
    ASSERT_EQ(states[0].waits.size(), items.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
        EXPECT_EQ(states[0].waits[i].tag, items[i].tag);
    }
    for (const Offset nonsense : {Offset{0}, list.more + 1, area.slab_end(0) - sizeof(WaitItem), area.slab_begin(1)}) {
        list.more = nonsense;
        EXPECT_FALSE(read()[0].blocked) << nonsense;
    }
    list.count = 0xffffffff;
    list.more = area.slab_begin(0);
    EXPECT_FALSE(read()[0].blocked);
}

TEST_F(RankStatesTest, AMessageBelongsToTheFirstReceiveThatFits) {
    const auto pending = [&](Rank source, Tag tag, std::uint64_t order, Rank forced = any_source) {
        post(0, source, tag, 1, forced).order = order;
    };
    const auto numbered = [&](Rank source, Tag tag, std::uint64_t order) {
        WaitItem item = receive(source, tag);
        item.number = order + 1;
        return item;
    };
    pending(any_source, 5, 3, 1);  // a decision has named its source
    pending(1, 5, 4);
    pending(1, any_tag, 5);
    send(1, 0, 5);
    EXPECT_TRUE(could(receive(1, 5))) << "which receive it is is not said";
    EXPECT_TRUE(could(numbered(1, 5, 3)));
    EXPECT_FALSE(could(numbered(1, 5, 4))) << "the one before takes it";
    EXPECT_FALSE(could(numbered(1, any_tag, 5)));
    send(1, 0, 6, 1);
    EXPECT_FALSE(could(numbered(1, 5, 4)));
    EXPECT_TRUE(could(numbered(1, any_tag, 5)));
    send(1, 0, 5, 2);
    EXPECT_TRUE(could(numbered(1, 5, 4)));
    EXPECT_FALSE(could(numbered(1, 5, 9))) << "there is no such receive";
    pending(any_source, 5, 1);
    EXPECT_TRUE(could(numbered(1, 5, 4))) << "the first may take a message from elsewhere";
}

TEST_F(RankStatesTest, WhoCouldSatisfyAWait) {
    const std::vector<Rank> pair{0, 2};
    const Offset group = publish_group(area, slabs[0], pair);
    const auto providers = [&](WaitItem item, Offset among = 0) {
        item.group = among;
        block(0, {item});
        const auto states = read();
        EXPECT_TRUE(states[0].blocked);
        return states[0].waits.at(0).providers;
    };
    using Ranks = std::vector<Rank>;
    EXPECT_EQ(providers(receive(1, 0)), Ranks{1});
    EXPECT_EQ(providers(receive(any_source, 0)), (Ranks{0, 1, 2}));
    EXPECT_EQ(providers(receive(any_source, 0, 7), group), pair);
    const WaitItem send{.kind = WaitKind::send, .forced = 0, .peer = 2, .tag = 0, .comm = 1, .number = 0};
    EXPECT_EQ(providers(send), Ranks{2});
    // Of a collective: those that have not entered.
    const WaitItem meeting{
        .kind = WaitKind::collective, .forced = 0, .peer = any_source, .tag = 0, .comm = 7, .number = 0};
    auto& record = area.at<CommunicatorRecord>(add_record(area, slabs[0], 0, 7));
    enter(area, slabs[0], record, {.sequence = 0}, 0, 0);
    EXPECT_EQ(providers(meeting, group), Ranks{2});
    EXPECT_FALSE(read()[0].waits.at(0).may_be_satisfied);
    auto& others = area.at<CommunicatorRecord>(add_record(area, slabs[2], 2, 7));
    enter(area, slabs[2], others, {.sequence = 0}, 0, 0);
    EXPECT_TRUE(providers(meeting, group).empty());
    EXPECT_TRUE(read()[0].waits.at(0).may_be_satisfied);
    // A group that makes no sense: anybody knows.
    EXPECT_TRUE(providers(receive(any_source, 0), area.slab_begin(1)).empty());
    EXPECT_TRUE(read()[0].waits.at(0).may_be_satisfied);
}

TEST_F(RankStatesTest, AReceiveGoesOnWhenAMessageThatFitsIsThere) {
    EXPECT_FALSE(could(receive(1, 5)));
    EXPECT_FALSE(could(receive(any_source, any_tag)));
    send(1, 0, 6);
    EXPECT_FALSE(could(receive(1, 5))) << "another tag";
    EXPECT_FALSE(could(receive(2, 6))) << "another source";
    EXPECT_FALSE(could(receive(any_source, 5)));
    EXPECT_FALSE(could(receive(1, 6, 2))) << "another communicator";
    EXPECT_TRUE(could(receive(1, 6)));
    EXPECT_TRUE(could(receive(1, any_tag)));
    EXPECT_TRUE(could(receive(any_source, 6)));
    EXPECT_TRUE(could(receive(any_source, any_tag)));
    EXPECT_TRUE(could(receive(any_source, 6, 1, WaitKind::probe)));
    EXPECT_FALSE(could(receive(2, 6, 1, WaitKind::probe)));
    send(0, 1, 5);
    EXPECT_FALSE(could(receive(1, 5))) << "the other direction";
    ASSERT_TRUE(readers[0][1].peek(area, area.queue(1, 0), 1, 6));
    readers[0][1].take_found(area.queue(1, 0), {});
    EXPECT_FALSE(could(receive(any_source, any_tag))) << "taken";
    send(2, 0, 6).state = EnvelopeState::withdrawn;
    EXPECT_FALSE(could(receive(any_source, any_tag))) << "withdrawn";
}

TEST_F(RankStatesTest, AReceiveFromOneselfIsLikeAnyOther) {
    EXPECT_FALSE(could(receive(0, 5)));
    send(0, 0, 5);
    EXPECT_TRUE(could(receive(0, 5)));
}

TEST_F(RankStatesTest, ASendGoesOnWhenAReceiveThatFitsIsPosted) {
    send(0, 1, 5, 7);
    const WaitItem item{.kind = WaitKind::send, .forced = 0, .peer = 1, .tag = 5, .comm = 1, .number = 7};
    EXPECT_FALSE(could(item));
    post(1, 0, 6);
    post(1, 2, 5);
    post(1, 0, 5, 2);
    post(1, any_source, 5, 1, 2);
    EXPECT_FALSE(could(item)) << "another tag, source, communicator; a decision for another source";
    post(2, any_source, any_tag);
    EXPECT_FALSE(could(item)) << "another rank";
    PostedSlot& slot = post(1, any_source, 5, 1, 0);
    EXPECT_TRUE(could(item)) << "a decision for this source";
    slot.forced = any_source;
    EXPECT_TRUE(could(item));
    slot.tag = any_tag;
    EXPECT_TRUE(could(item));
    slot.source = 0;
    EXPECT_TRUE(could(item));
    slot.state = PostedState::free;
    EXPECT_FALSE(could(item));
}

TEST_F(RankStatesTest, AReceiveOfADeadRankTakesNothingMore) {
    WaitItem item{.kind = WaitKind::send, .forced = 0, .synchronous = 1, .peer = 1, .tag = 5, .comm = 1, .number = 7};
    send(0, 1, 5, 7);
    post(1, 0, 5);
    block(0, {item});
    EXPECT_TRUE(read()[0].waits.at(0).may_be_satisfied);
    EXPECT_TRUE(read({true, true, false})[0].waits.at(0).may_be_satisfied);
    EXPECT_FALSE(read({true, false, true})[0].waits.at(0).may_be_satisfied);
    item.synchronous = 0;
    block(0, {item});
    EXPECT_TRUE(read({true, false, true})[0].waits.at(0).may_be_satisfied) << "it may have been taken before";
    ASSERT_TRUE(readers[1][0].peek(area, area.queue(0, 1), 1, 5));
    readers[1][0].take_found(area.queue(0, 1), {});
    EXPECT_TRUE(read({true, false, true})[0].waits.at(0).may_be_satisfied) << "it was taken before";
    // What a dead rank has sent can still be received.
    send(1, 0, 6);
    block(0, {receive(1, 6)});
    EXPECT_TRUE(read({true, false, true})[0].waits.at(0).may_be_satisfied);
}

TEST_F(RankStatesTest, ASendGoesOnWhenItsMessageHasBeenTaken) {
    send(0, 1, 5, 7);
    send(0, 1, 5, 8);
    const WaitItem first{.kind = WaitKind::send, .forced = 0, .peer = 1, .tag = 5, .comm = 1, .number = 7};
    WaitItem second = first;
    second.number = 8;
    EXPECT_FALSE(could(first));
    ASSERT_TRUE(readers[1][0].peek(area, area.queue(0, 1), 1, 5));
    readers[1][0].take_found(area.queue(0, 1), {});
    EXPECT_TRUE(could(first));
    EXPECT_FALSE(could(second));
}

TEST_F(RankStatesTest, ACollectiveALeaderOrASignalOfAWindowGoesOnWhenTheOtherHasEntered) {
    for (const WaitKind kind : {WaitKind::collective, WaitKind::leader, WaitKind::post, WaitKind::complete}) {
        const base::CommId comm = 9 + static_cast<base::CommId>(kind);
        WaitItem item{.kind = kind, .forced = 0, .peer = 1, .tag = 0, .comm = comm, .number = 1};
        EXPECT_FALSE(could(item));
        auto& record = area.at<CommunicatorRecord>(add_record(area, slabs[1], 1, comm));
        EXPECT_FALSE(could(item));
        enter(area, slabs[1], record, {.sequence = 0}, 0, 1);
        EXPECT_FALSE(could(item)) << "only the collective before";
        enter(area, slabs[1], record, {.sequence = 1}, 0, 1);
        EXPECT_TRUE(could(item));
        item.comm = 8;
        EXPECT_FALSE(could(item)) << "another communicator";
        item.comm = comm;
        item.peer = 2;
        EXPECT_FALSE(could(item)) << "another rank";
    }
}

TEST_F(RankStatesTest, ALockIsGrantedWhenAllHaveGivenBackTheirsThatAreInTheWay) {
    const WaitItem exclusive{.kind = WaitKind::unlock, .peer = any_source, .tag = 2, .comm = 20};
    const WaitItem shared{.kind = WaitKind::unlock, .peer = any_source, .tag = 2, .comm = 21};
    EXPECT_TRUE(could(exclusive)) << "nobody has one";
    auto& own = area.at<CommunicatorRecord>(add_record(area, slabs[0], 0, lock_record(20, 0)));
    enter(area, slabs[0], own, {.sequence = 0}, 0, 0);
    EXPECT_TRUE(could(exclusive)) << "it is its own";
    auto& record = area.at<CommunicatorRecord>(add_record(area, slabs[1], 1, lock_record(20, 1)));
    enter(area, slabs[1], record, {.sequence = 0, .site = 0x1234}, 0, 0);
    EXPECT_FALSE(could(exclusive));
    EXPECT_TRUE(could(shared));
    const Wait wait = (block(0, {exclusive, shared}), read().front().waits.at(0));
    EXPECT_EQ(wait.peer, 1);
    EXPECT_EQ(wait.providers, std::vector<Rank>{1});
    EXPECT_EQ(wait.made_at, 0x1234U) << "where it was locked";
    EXPECT_EQ(read().front().waits.size(), 1U) << "the other kind is not in the way";
    enter(area, slabs[1], record, {.sequence = 1}, 0, 0);
    EXPECT_TRUE(could(exclusive)) << "it is given back";
    for (const Rank rank : {1, 2}) {
        Slab& slab = slabs[static_cast<std::size_t>(rank)];
        auto& held = area.at<CommunicatorRecord>(add_record(area, slab, rank, lock_record(21, rank)));
        enter(area, slab, held, {.sequence = 0}, 0, 0);
    }
    block(0, {exclusive, shared});
    const std::vector<Wait> waits = read().front().waits;
    ASSERT_EQ(waits.size(), 2U) << "both have to give it back";
    EXPECT_EQ(waits[0].peer, 1);
    EXPECT_EQ(waits[1].peer, 2);
}

TEST_F(RankStatesTest, FinalizeGoesOnWhenAllHaveCalledIt) {
    const WaitItem item{.kind = WaitKind::finalize, .forced = 0, .peer = any_source, .tag = 0, .comm = 0, .number = 0};
    area.rank(0).phase = Phase::finalizing;
    area.rank(1).phase = Phase::finalized;
    area.rank(2).phase = Phase::running;
    EXPECT_FALSE(could(item));
    area.rank(2).phase = Phase::finalizing;
    EXPECT_TRUE(could(item));
}

TEST_F(RankStatesTest, NobodyElseMakesPartitionsReady) {
    block(0, {{.kind = WaitKind::ready}});
    EXPECT_FALSE(could({.kind = WaitKind::ready}));
    EXPECT_FALSE(could({.kind = WaitKind::own_completion}));
    const Wait wait = read().front().waits.front();
    EXPECT_FALSE(wait.may_be_satisfied);
    EXPECT_TRUE(wait.providers.empty());
}

TEST_F(RankStatesTest, WhatCannotBeKnownCouldBe) {
    EXPECT_TRUE(could({.kind = WaitKind::other, .forced = 0, .peer = 1, .tag = 0, .comm = 1, .number = 0}));
    EXPECT_TRUE(could({.kind = WaitKind::send, .forced = 0, .peer = any_source, .tag = 0, .comm = 1, .number = 0}));
    EXPECT_TRUE(could({.kind = static_cast<WaitKind>(200), .forced = 0, .peer = 1, .tag = 0, .comm = 1, .number = 0}));
    for (const WaitKind kind : peers) {
        EXPECT_TRUE(could({.kind = kind, .forced = 0, .peer = ranks, .tag = 0, .comm = 1, .number = 0}));
        EXPECT_TRUE(could({.kind = kind, .forced = 0, .peer = 0x7fffffff, .tag = 0, .comm = 1, .number = 0}));
    }
}

TEST_F(RankStatesTest, APeerThatIsNoRankIsNotBelieved) {
    // In a process of its own: reading far outside the area ends it.
    for (const WaitKind kind : peers) {
        for (const Rank peer : {-2, -1'000'000, static_cast<Rank>(0x80000000)}) {
            block(0, {{.kind = kind, .forced = 0, .peer = peer, .tag = 0, .comm = 1, .number = 0}});
            EXPECT_EXIT(
                {
                    const bool could_go_on = read()[0].waits.at(0).may_be_satisfied;
                    std::_Exit(could_go_on ? 0 : 1);
                },
                testing::ExitedWithCode(0), "")
                << static_cast<int>(kind) << " " << peer;
        }
    }
}

TEST_F(RankStatesTest, GarbageIsSurvived) {
    // Random bytes in everything that a rank writes about itself; peers are kept among the ranks.
    std::mt19937 random(2);
    send(1, 0, 5);
    for (int round = 0; round < 500; ++round) {
        auto& blocked = area.rank(0).blocked;
        auto* bytes = reinterpret_cast<std::uint8_t*>(&blocked);
        for (std::size_t i = 0; i < sizeof blocked; ++i) {
            bytes[i] = static_cast<std::uint8_t>(random());
        }
        blocked.sequence = 2 * (random() % 1000);
        blocked.activity = random() % 2 == 0 ? Activity::blocked : static_cast<Activity>(random());
        for (WaitItem& item : blocked.waits.items) {
            item.kind = static_cast<WaitKind>(random() % 9);
            item.peer = static_cast<Rank>(random() % 5) - 1;
        }
        area.rank(0).phase = static_cast<Phase>(random());
        area.rank(2).posted_high = ~std::uint64_t{0} >> random() % 64;
        area.rank(2).first_communicator = random();
        area.queue(0, 2).first_chunk = random();
        const auto states = read();
        EXPECT_LE(states[0].waits.size(), wait_items);
        EXPECT_LE(states[0].call.size(), name_length);
    }
}

}  // namespace
}  // namespace dampi::scheduler
