#include "clocks/marks.hpp"
#include "clocks/buffered_messages.hpp"
#include "clocks/lazy_clocks.hpp"

#include <gtest/gtest.h>

namespace dampi::clocks {
namespace {

constexpr Marks both{.postings = true, .buffered = true};

IncomingMessage message_from(base::Rank source, const LazyClocks& sender, std::optional<std::uint32_t> buffered = {}) {
    return {.name = {source, base::world_comm, 0}, .tag = 0, .clock = sender.now()->clock, .buffered = buffered};
}

TEST(Marks, PostingsAreKnownToWhoeverLearnsOfThem) {
    LazyClocks receiver(0, Protocol::vector, both);
    LazyClocks sender(1, Protocol::vector, both);
    const Posted posted = receiver.post({base::world_comm, 1, 0}, false);
    receiver.keep_pending(posted);
    EXPECT_FALSE(receiver.knew_posting(sender.now()->clock, posted.order));
    sender.learn(receiver.now()->clock);
    EXPECT_TRUE(receiver.knew_posting(sender.now()->clock, posted.order));
    EXPECT_FALSE(receiver.knew_posting(sender.now()->clock, posted.order + 1));
}

TEST(Marks, EndsInWindowsAreKnownWhenTheyHaveComeToWhoeverLearnsOfThem) {
    LazyClocks own(0, Protocol::vector, {.windows = true});
    LazyClocks other(1, Protocol::vector, {.windows = true});
    const std::uint32_t lock = own.number_window_end();
    const std::uint32_t access = own.number_window_end();
    EXPECT_NE(lock, access);
    own.end_in_window(access);
    EXPECT_FALSE(other.knows_window_end(0, access));
    other.learn(own.now()->clock);
    EXPECT_TRUE(other.knows_window_end(0, access));
    EXPECT_FALSE(other.knows_window_end(0, lock));
    EXPECT_FALSE(other.knows_window_end(1, access));
    own.end_in_window(lock);
    EXPECT_FALSE(other.knows_window_end(0, lock));
    other.learn(own.now()->clock);
    EXPECT_TRUE(other.knows_window_end(0, lock));
    EXPECT_EQ(without_marks(other.now()->clock), Clock{});

    Clock forgetful = other.now()->clock;
    drop_window_ends(forgetful);
    forgetful.vector.add(postings_of(0), 1);
    drop_window_ends(forgetful);
    EXPECT_EQ(forgetful.vector.size(), 1U);
}

TEST(Marks, EndsInWindowsThatAreNotFollowedAreUnknown) {
    LazyClocks without(0, Protocol::vector, both);
    EXPECT_EQ(without.number_window_end(), 0U);
    without.end_in_window(0);
    EXPECT_EQ(without.now()->clock, Clock{});
    EXPECT_FALSE(without.knows_window_end(0, 0));

    LazyClocks lamport(0, Protocol::lamport, {.windows = true});
    EXPECT_EQ(lamport.number_window_end(), 0U);

    LazyClocks full(0, Protocol::vector, {.windows = true});
    for (std::uint32_t i = 1; i < most_marks; ++i) {
        ASSERT_EQ(full.number_window_end(), i);
    }
    EXPECT_EQ(full.number_window_end(), 0U);
}

TEST(Marks, AMatchIsKnownWithTheCompletionAndNotBefore) {
    LazyClocks receiver(0, Protocol::vector, both);
    LazyClocks sender(1, Protocol::vector, both);
    BufferedMessages buffer;
    const std::uint32_t number = buffer.add(100);
    const Posted posted = receiver.post({base::world_comm, 1, 0}, false);
    receiver.keep_pending(posted);
    const Match match = receiver.match(posted, 1, nullptr);
    EXPECT_EQ(match.after, match.past);

    const Posted next = receiver.post({base::world_comm, 1, 0}, false);
    const IncomingMessage message = message_from(1, sender, number);
    const Match buffered = receiver.match(next, 1, &message);
    buffer.forget_received(1, receiver.now()->clock);
    EXPECT_EQ(buffer.taken(10), 110U);
    receiver.learn(buffered.after);
    buffer.forget_received(1, receiver.now()->clock);
    EXPECT_EQ(buffer.taken(10), 0U);
}

TEST(Marks, WhoeverKnowsOfALaterMatchKnowsOfTheEarlierOne) {
    LazyClocks receiver(0, Protocol::vector, both);
    LazyClocks sender(1, Protocol::vector, both);
    const Posted first = receiver.post({base::world_comm, 1, 0}, false);
    receiver.keep_pending(first);
    const Posted second = receiver.post({base::world_comm, 1, base::any_tag}, false);
    receiver.keep_pending(second);
    const IncomingMessage earlier = message_from(1, sender, 0);
    IncomingMessage later = message_from(1, sender);
    later.name.number = 1;
    (void)receiver.match(first, 1, &earlier);
    const Match match = receiver.match(second, 1, &later);
    EXPECT_TRUE(match.after->clock.vector.knows(buffered_of(1), 0));
}

TEST(Marks, AreNotFollowedUnlessAsked) {
    for (LazyClocks clocks : {LazyClocks(0, Protocol::vector), LazyClocks(0, Protocol::lamport, both)}) {
        const Posted posted = clocks.post({base::world_comm, 1, 0}, false);
        const IncomingMessage message{.name = {1, base::world_comm, 0}, .tag = 0, .clock = {}, .buffered = 0};
        clocks.learn(clocks.match(posted, 1, &message).after);
        EXPECT_TRUE(clocks.now()->clock.vector.empty());
    }
}

TEST(Marks, OutcomesDoNotContainThem) {
    LazyClocks clocks(0, Protocol::vector, both);
    const Posted posted = clocks.post({base::world_comm, base::any_source, 0}, true);
    const IncomingMessage message{.name = {1, base::world_comm, 0}, .tag = 0, .clock = {}, .buffered = 3};
    clocks.learn(clocks.match(posted, 1, &message).after);
    EXPECT_EQ(clocks.now()->clock.vector.intervals().size(), 3U);
    const Clock epochs = without_marks(clocks.now()->clock);
    ASSERT_EQ(epochs.vector.intervals().size(), 1U);
    EXPECT_TRUE(epochs.vector.knows(0, 0));
}

TEST(BufferedMessages, OneThatWasRefusedTakesNothing) {
    BufferedMessages buffer;
    buffer.add(1);
    buffer.add(7);
    buffer.withdraw_last();
    EXPECT_EQ(buffer.taken(0), 1U);
    EXPECT_EQ(buffer.add(1), 2U);
    buffer.clear();
    EXPECT_EQ(buffer.taken(100), 0U);
}

}  // namespace
}  // namespace dampi::clocks
