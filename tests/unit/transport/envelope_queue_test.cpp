// The queues of envelopes: taken in any order by tag and communicator, against a model and between two
// threads; memory in proportion to what is not yet received; withdrawn envelopes, pins; garbage from outside.
#include "transport/memory/envelope_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace dampi::transport::memory {
namespace {

Envelope envelope(std::uint64_t number, base::Tag tag = 0, base::CommId comm = 1) {
    return {.comm = comm,
            .tag = tag,
            .number = number,
            .clock = number * 5 + 1,
            .site = number ^ 0x5555,
            .synchronous = number % 3 == 0,
            .sent_at = number % 4 == 0 ? number : 0};
}

bool same(const Envelope& a, const Envelope& b) {
    return a.comm == b.comm && a.tag == b.tag && a.number == b.number && a.clock == b.clock && a.site == b.site &&
           a.synchronous == b.synchronous && a.sent_at == b.sent_at;
}

struct EnvelopeQueueTest : testing::Test {
    Area area = Area::create(2, {});
    Slab slab{area, 0};
    QueueHeader& queue = area.queue(0, 1);
    EnvelopeWriter writer;
    EnvelopeReader reader;

    EnvelopeSlot& send(const Envelope& what) { return writer.append(area, slab, queue, what); }
    std::optional<Envelope> take(base::CommId comm, base::Tag tag, ClockName acknowledged_clock = 0) {
        auto found = peek(comm, tag);
        if (found) {
            reader.take_found(queue, {.clock = acknowledged_clock});
        }
        return found;
    }
    std::optional<Envelope> peek(base::CommId comm, base::Tag tag) { return reader.peek(area, queue, comm, tag); }
    [[nodiscard]] std::vector<Envelope> seen_from_outside() const {
        std::vector<Envelope> open;
        for_each_open_envelope(area, 0, 1, [&](const Envelope& what) { open.push_back(what); });
        return open;
    }
    /// Sends in another thread and takes here, each time one of the first that are left, by its tag or by any.
    /// Every `left_for_later`-th message (0: none) is taken only when all others are. Returns how many takes
    /// gave something else than they should.
    std::uint64_t wrong_between_threads(std::size_t count, std::size_t left_for_later) {
        constexpr base::CommId later = 9;
        std::mt19937 random(11);
        std::vector<Envelope> all;
        std::vector<std::size_t> at_the_end;
        for (std::size_t i = 0; i < count; ++i) {
            const bool at_end = left_for_later != 0 && i % left_for_later == 0;
            all.push_back(envelope(i, static_cast<base::Tag>(random() % 3), at_end ? later : 1 + random() % 2));
            if (at_end) {
                at_the_end.push_back(i);
            }
        }
        std::thread sender([&] {
            for (std::size_t i = 0; i < count; ++i) {
                send(all[i]);
                if (i % 777 == 0) {
                    std::this_thread::yield();
                }
            }
        });
        const auto take_when_there = [&](base::CommId comm, base::Tag tag) {
            std::optional<Envelope> found;
            while (!(found = take(comm, tag))) {
                std::this_thread::yield();
            }
            return *found;
        };
        std::uint64_t wrong = 0;
        std::vector<bool> gone(count);
        for (const std::size_t i : at_the_end) {
            gone[i] = true;  // for now
        }
        std::size_t first_left = 0;
        for (std::size_t taken = at_the_end.size(); taken < count && wrong == 0;) {
            while (gone[first_left]) {
                ++first_left;
            }
            const std::size_t like = first_left + random() % std::min<std::size_t>(40, count - first_left);
            if (all[like].comm == later) {
                continue;
            }
            const base::Tag tag = random() % 3 == 0 ? base::any_tag : all[like].tag;
            std::size_t wanted = first_left;
            while (wanted < count && (gone[wanted] || all[wanted].comm != all[like].comm ||
                                      (tag != base::any_tag && all[wanted].tag != tag))) {
                ++wanted;
            }
            if (wanted == count) {
                continue;
            }
            wrong += same(take_when_there(all[like].comm, tag), all[wanted]) ? 0 : 1;
            gone[wanted] = true;
            ++taken;
        }
        for (std::size_t i = 0; i < at_the_end.size() && wrong == 0; ++i) {
            wrong += same(take_when_there(later, base::any_tag), all[at_the_end[i]]) ? 0 : 1;
        }
        sender.join();
        return wrong;
    }
    /// Bytes of the slab ever in use.
    std::uint64_t memory() { return slab.allocate(4096) - area.slab_begin(0); }
};

TEST_F(EnvelopeQueueTest, EnvelopesAreFoundByTheirPosition) {
    EXPECT_FALSE(reader.peek_at(area, queue, 0));
    std::vector<std::uint64_t> positions;
    for (std::uint64_t i = 0; i < 3ULL * envelopes_per_chunk; ++i) {
        send(envelope(i, static_cast<base::Tag>(i % 2)));
        positions.push_back(writer.last_position());
    }
    const auto found = reader.peek_at(area, queue, positions[20]);
    ASSERT_TRUE(found);
    EXPECT_TRUE(same(*found, envelope(20, 0)));
    EXPECT_EQ(reader.found_position(), positions[20]);
    reader.take_found(queue, {});
    EXPECT_FALSE(reader.peek_at(area, queue, positions[20])) << "it is taken";
    ASSERT_TRUE(peek(1, 1));
    EXPECT_EQ(reader.found_position(), positions[1]);
    send(envelope(90)).state.store(EnvelopeState::withdrawn);
    EXPECT_FALSE(reader.peek_at(area, queue, writer.last_position()));
    EXPECT_FALSE(reader.peek_at(area, queue, writer.last_position() + 1)) << "there is none yet";
}

TEST_F(EnvelopeQueueTest, AnEnvelopeArrivesAsItWasSent) {
    EXPECT_FALSE(take(1, base::any_tag));
    EXPECT_FALSE(peek(1, base::any_tag));
    EXPECT_TRUE(seen_from_outside().empty());
    EnvelopeSlot& slot = send(envelope(9, 4, 8));
    EXPECT_EQ(slot.state.load(), EnvelopeState::sent);
    EXPECT_FALSE(take(8, 5));
    EXPECT_FALSE(take(7, 4));
    ASSERT_TRUE(peek(8, 4));
    EXPECT_TRUE(same(*peek(8, base::any_tag), envelope(9, 4, 8)));
    const auto taken = take(8, 4, 123);
    ASSERT_TRUE(taken);
    EXPECT_TRUE(same(*taken, envelope(9, 4, 8)));
    EXPECT_EQ(slot.state.load(), EnvelopeState::taken);
    EXPECT_EQ(slot.hash_or_acknowledgement, 123U);
    EXPECT_FALSE(take(8, 4));
    EXPECT_TRUE(seen_from_outside().empty());
}

TEST_F(EnvelopeQueueTest, TheFirstThatFitsIsTaken) {
    send(envelope(0, 1));
    send(envelope(1, 2));
    send(envelope(0, 2, 6));
    send(envelope(2, 2));
    EXPECT_EQ(take(1, 2)->number, 1U);
    EXPECT_EQ(take(1, base::any_tag)->number, 0U);
    EXPECT_EQ(take(1, base::any_tag)->number, 2U);
    EXPECT_FALSE(take(1, base::any_tag));
    EXPECT_EQ(take(6, 2)->comm, 6U);
}

TEST_F(EnvelopeQueueTest, OpenOnesAreFoundByNumberInSendingOrder) {
    const auto open = [&](base::CommId comm, std::uint64_t from) { return reader.first_open(area, queue, comm, from); };
    EXPECT_FALSE(open(1, 0));
    for (std::uint64_t i = 0; i < 40; ++i) {
        send(envelope(i, static_cast<base::Tag>(i), 1 + i % 2));
    }
    EXPECT_EQ(open(1, 0)->number, 0U);
    EXPECT_EQ(open(2, 0)->number, 1U);
    EXPECT_EQ(open(2, 7)->number, 7U);
    EXPECT_EQ(open(1, 7)->number, 8U);
    EXPECT_FALSE(open(1, 39));
    ASSERT_TRUE(take(1, 8));
    EXPECT_EQ(open(1, 7)->number, 10U);
    ASSERT_TRUE(take(1, 0));
    EXPECT_EQ(open(1, 0)->number, 2U);
}

TEST_F(EnvelopeQueueTest, RandomOperationsAgreeWithAModel) {
    std::mt19937 random(4);
    struct Sent {
        Envelope what;
        EnvelopeSlot* slot;
    };
    std::vector<Sent> model;
    std::uint64_t number = 0;
    for (int step = 0; step < 200000; ++step) {
        const unsigned growth = step / 2000 % 2 == 0 ? 6 : 3;  // of 10
        const unsigned what = random() % 10;
        if (what < growth && model.size() < 300) {
            const Envelope sent = envelope(number++, static_cast<base::Tag>(random() % 4), 1 + random() % 2);
            model.push_back({sent, &send(sent)});
        } else if (what == 9 && !model.empty() && random() % 8 == 0) {
            const std::size_t at = random() % model.size();
            model[at].slot->state.store(EnvelopeState::withdrawn);
            model.erase(model.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
            const base::CommId comm = 1 + random() % 2;
            const auto tag = static_cast<base::Tag>(random() % 5) - 1;
            const auto expected = std::find_if(model.begin(), model.end(), [&](const Sent& sent) {
                return sent.what.comm == comm && (tag == base::any_tag || sent.what.tag == tag);
            });
            const bool only_look = random() % 4 == 0;
            const auto found = only_look ? peek(comm, tag) : take(comm, tag);
            ASSERT_EQ(found.has_value(), expected != model.end()) << step;
            if (found) {
                ASSERT_TRUE(same(*found, expected->what)) << step;
                if (!only_look) {
                    model.erase(expected);
                }
            }
        }
        if (step % 500 == 0) {
            const auto outside = seen_from_outside();
            ASSERT_TRUE(std::equal(outside.begin(), outside.end(), model.begin(), model.end(),
                                   [](const Envelope& a, const Sent& b) { return same(a, b.what); }))
                << step;
        }
    }
}

TEST_F(EnvelopeQueueTest, TwoThreadsWithTakesInAnyOrder) {
    EXPECT_EQ(wrong_between_threads(300000, 0), 0U);
    EXPECT_TRUE(seen_from_outside().empty());
}

TEST_F(EnvelopeQueueTest, TwoThreadsWithMessagesLeftForLater) {
    EXPECT_EQ(wrong_between_threads(300000, 1000), 0U);
    EXPECT_TRUE(seen_from_outside().empty());
}

TEST_F(EnvelopeQueueTest, MillionsOfMessagesLeaveMemoryFlat) {
    for (std::uint64_t i = 0; i < 5'000'000; ++i) {
        send(envelope(i));
        if (i >= 100) {
            ASSERT_EQ(take(1, 0)->number, i - 100);
        }
    }
    EXPECT_LT(memory(), 64U << 10);
}

TEST_F(EnvelopeQueueTest, MessagesLeftForLaterDoNotHoldTheMemoryOfOthers) {
    // One message is received at the very end, as the result of a long computation may be.
    send(envelope(0, 99));
    constexpr std::uint64_t count = 1'000'000;
    for (std::uint64_t i = 1; i <= count; ++i) {
        send(envelope(i));
        ASSERT_EQ(take(1, 0)->number, i);
    }
    EXPECT_LT(memory(), 1U << 20) << "memory is proportional to the messages not yet received";
    EXPECT_EQ(take(1, 99)->number, 0U);
}

TEST_F(EnvelopeQueueTest, MemoryFollowsTheBacklog) {
    for (int round = 0; round < 20; ++round) {
        for (std::uint64_t i = 0; i < 10000; ++i) {
            send(envelope(i, static_cast<base::Tag>(i % 2)));
        }
        for (std::uint64_t i = 0; i < 10000; i += 2) {  // the odd ones first
            ASSERT_EQ(take(1, 1)->number, i + 1);
        }
        for (std::uint64_t i = 0; i < 10000; i += 2) {
            ASSERT_EQ(take(1, base::any_tag)->number, i);
        }
    }
    EXPECT_LT(memory(), 2U * 10000 * sizeof(EnvelopeSlot));
}

TEST_F(EnvelopeQueueTest, WithdrawnEnvelopesAreNeverFound) {
    EnvelopeSlot& first = send(envelope(0));
    EnvelopeSlot& second = send(envelope(1));
    send(envelope(2));
    first.state.store(EnvelopeState::withdrawn);
    ASSERT_EQ(peek(1, 0)->number, 1U);  // has been seen by the receiver's end
    second.state.store(EnvelopeState::withdrawn);
    ASSERT_EQ(seen_from_outside().size(), 1U);
    EXPECT_EQ(take(1, 0)->number, 2U);
    EXPECT_FALSE(take(1, base::any_tag));
    EXPECT_TRUE(seen_from_outside().empty());
}

TEST_F(EnvelopeQueueTest, WithdrawnEnvelopesHoldNoMemory) {
    for (std::uint64_t i = 0; i < 1'000'000; ++i) {
        EnvelopeSlot& slot = send(envelope(i));
        if (i % 10 == 0) {
            slot.state.store(EnvelopeState::withdrawn);
        } else {
            ASSERT_EQ(take(1, 0)->number, i);
        }
    }
    EXPECT_LT(memory(), 64U << 10);
}

TEST_F(EnvelopeQueueTest, PinnedSlotsStayReadableAfterTheyAreTaken) {
    writer.pin();
    writer.pin();
    EnvelopeSlot& slot = send(envelope(7));
    ASSERT_TRUE(take(1, 0, 4711));
    for (std::uint64_t i = 0; i < 10000; ++i) {
        send(envelope(i));
        ASSERT_TRUE(take(1, 0));
    }
    EXPECT_EQ(slot.state.load(), EnvelopeState::taken);
    EXPECT_EQ(slot.hash_or_acknowledgement, 4711U);
    EXPECT_EQ(slot.number, 7U);
    writer.unpin();
    for (std::uint64_t i = 0; i < 1000; ++i) {
        send(envelope(i));
        ASSERT_TRUE(take(1, 0));
    }
    EXPECT_EQ(slot.hash_or_acknowledgement, 4711U) << "one pin is left";
    writer.unpin();
    const std::uint64_t before = memory();
    for (std::uint64_t i = 0; i < 1'000'000; ++i) {
        send(envelope(i));
        ASSERT_TRUE(take(1, 0));
    }
    EXPECT_LT(memory(), before + (64U << 10)) << "once nothing is pinned, all is used again";
}

TEST_F(EnvelopeQueueTest, TheOutsideBelievesNothing) {
    for (std::uint64_t i = 0; i < 40; ++i) {
        send(envelope(i));
    }
    const Offset first = queue.first_chunk.load();
    auto& chunk = area.at<EnvelopeChunk>(first);
    const Offset next = chunk.next.load();
    EXPECT_EQ(seen_from_outside().size(), 40U);
    for (const Offset wild : {Offset{8}, area.slab_begin(1), area.slab_end(0), ~Offset{0}, first + 8}) {
        chunk.next = wild;
        EXPECT_EQ(seen_from_outside().size(), envelopes_per_chunk) << wild;
        chunk.next = next;
        queue.first_chunk = wild;
        EXPECT_EQ(seen_from_outside().size(), 0U) << wild;
        queue.first_chunk = first;
    }
    chunk.slots[3].state.store(static_cast<EnvelopeState>(77));
    EXPECT_EQ(seen_from_outside().size(), 3U);
}

TEST_F(EnvelopeQueueTest, AListInACircleEndsSoon) {
    // It is looked at every few milliseconds.
    for (std::uint64_t i = 0; i < 40; ++i) {
        send(envelope(i));
    }
    const Offset first = queue.first_chunk.load();
    area.at<EnvelopeChunk>(first).next = first;
    std::uint64_t visits = 0;
    for_each_open_envelope(area, 0, 1, [&](const Envelope&) { ++visits; });
    EXPECT_LT(visits, 1000U);
}

}  // namespace
}  // namespace dampi::transport::memory
