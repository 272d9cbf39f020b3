// The lazy protocol on the dissertation's examples, and the late-message analysis against a naive model.
#include "clocks/lazy_clocks.hpp"

#include "clocks/check.hpp"
#include "clocks/pending_receives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace dampi::clocks {
namespace {

constexpr std::uint32_t none = ~0U;

/// A message on its way, as its sender stamped it.
struct Message {
    Rank source;
    Tag tag;
    std::uint64_t number;
    LamportClock clock{};
    bool synchronous = false;
};

/// One rank that receives, as the layer drives the clocks: receives complete in any order, but are resolved
/// in matching order. What MPI matched is told beforehand.
class Receiver {
public:
    LazyClocks clocks;
    std::map<std::uint32_t, std::uint64_t> final_clock;                    ///< epoch -> clock
    std::map<std::pair<std::uint32_t, Rank>, std::uint64_t> alternatives;  ///< (epoch, source) -> number

    /// Posts a receive that MPI matches with `message`.
    PostingOrder irecv(Rank source, Tag tag, const Message& message) {
        const PostingOrder order = next_++;
        const ReceiveSpec spec{.comm = world_comm, .source = source, .tag = tag};
        EXPECT_TRUE(spec.fits(world_comm, message.source, message.tag));
        const std::uint32_t epoch = spec.wildcard() ? clocks.post_epoch(spec, order) : none;
        pending_.add(order, spec, {epoch, message});
        messages_.emplace(order, message);
        return order;
    }
    void wait(PostingOrder order) {
        resolve(order);
        clocks.learn(messages_.at(order).clock);
    }
    void recv(Rank source, Tag tag, const Message& message) { wait(irecv(source, tag, message)); }
    /// A message that is never received.
    void leftover(const Message& message) { analyse(message, never_taken); }

private:
    struct Pending {
        std::uint32_t epoch;
        Message message;
    };

    void resolve(PostingOrder order) {
        const Message message = messages_.at(order);
        while (const auto* earlier = pending_.first_before(order, world_comm, message.source, message.tag)) {
            resolve(earlier->order);
        }
        const std::optional<Pending> own = pending_.remove(order);
        if (!own) {
            return;  // something that it matches-before has been completed
        }
        if (own->epoch != none) {
            final_clock[own->epoch] = clocks.match_epoch(own->epoch, message.source, message.synchronous).value;
        }
        analyse(message, order);
    }
    void analyse(const Message& message, PostingOrder taken_by) {
        clocks.analyse(
            {.name = {message.source, world_comm, message.number}, .tag = message.tag, .clock = message.clock},
            taken_by, [&](const PotentialMatchFound& found) {
                EXPECT_EQ(found.tag, message.tag);
                alternatives[{found.epoch, found.source}] = found.number;
            });
    }

    PostingOrder next_ = 0;
    PendingReceives<Pending> pending_;
    std::map<PostingOrder, Message> messages_;
};

using Alternatives = std::map<std::pair<std::uint32_t, Rank>, std::uint64_t>;
using Finals = std::map<std::uint32_t, std::uint64_t>;

TEST(LazyClocks, WithoutNondeterminismTheClockStandsStill) {
    Receiver p0;
    p0.recv(1, 0, {1, 0, 0});
    p0.recv(1, any_tag, {1, 5, 1});
    EXPECT_EQ(p0.clocks.now(), LamportClock{0});
    EXPECT_EQ(p0.clocks.epochs(), 0U);
    p0.clocks.learn(LamportClock{4});
    p0.clocks.learn(LamportClock{2});
    EXPECT_EQ(p0.clocks.now(), LamportClock{4});
}

TEST(LazyClocks, Figure31TwoSendersOneWildcard) {
    // P0 and P2 send to P1, whose wildcard takes one; the other one is received by name, or never.
    Receiver named;
    named.recv(any_source, 0, {0, 0, 0});
    named.recv(2, 0, {2, 0, 0});
    EXPECT_EQ(named.alternatives, (Alternatives{{{0, 2}, 0}}));
    EXPECT_EQ(named.clocks.now(), LamportClock{1});

    Receiver never;
    never.recv(any_source, 0, {0, 0, 0});
    never.leftover({2, 0, 0});
    EXPECT_EQ(never.alternatives, (Alternatives{{{0, 2}, 0}}));
}

TEST(LazyClocks, Figure51LateMessages) {
    // P1: recv(*) from P0, recv(*) from P2; P2 sent at 0. All see 2 after the barrier, not before.
    Receiver p1;
    p1.recv(any_source, 0, {0, 0, 0, LamportClock{0}});
    EXPECT_EQ(p1.alternatives, Alternatives{});
    p1.recv(any_source, 0, {2, 0, 0, LamportClock{0}});
    EXPECT_EQ(p1.final_clock, (Finals{{0, 0}, {1, 1}}));
    EXPECT_EQ(p1.alternatives, (Alternatives{{{0, 2}, 0}}));
    // A message sent by somebody who knew of the first epoch only is late for the second only.
    p1.leftover({3, 0, 0, LamportClock{1}});
    EXPECT_EQ(p1.alternatives, (Alternatives{{{0, 2}, 0}, {{1, 3}, 0}}));
}

TEST(LazyClocks, Figure52CrookedBarrier) {
    // P1: irecv(*), barrier, recv(*), wait. P2 sends after the barrier, which carries clock 0 all the same.
    Receiver p1;
    const auto h = p1.irecv(any_source, 0, {0, 0, 0, LamportClock{0}});
    EXPECT_EQ(p1.clocks.now(), LamportClock{0}) << "a posted receive does not move the clock";
    p1.clocks.learn(LamportClock{0});  // the barrier
    p1.recv(any_source, 0, {2, 0, 0, LamportClock{0}});
    EXPECT_EQ(p1.final_clock, (Finals{{0, 0}, {1, 1}})) << "the pending receive must have matched first";
    EXPECT_EQ(p1.alternatives, (Alternatives{{{0, 2}, 0}}));
    p1.wait(h);
    EXPECT_EQ(p1.clocks.now(), LamportClock{2}) << "it is not counted again";
}

TEST(LazyClocks, Figure53TheOmissionOfLamportClocks) {
    // P0: recv(*) [0], send(P2) at 1. P2: recv(*) from P1, recv(P0). Known limit: P0's message is not recognised.
    Receiver p2;
    p2.recv(any_source, 0, {1, 0, 0, LamportClock{0}});
    p2.recv(0, 0, {0, 0, 0, LamportClock{1}});
    EXPECT_EQ(p2.alternatives, Alternatives{});
    // Had P0 sent before its own wildcard matched, it would be.
    Receiver earlier;
    earlier.recv(any_source, 0, {1, 0, 0, LamportClock{0}});
    earlier.recv(0, 0, {0, 0, 0, LamportClock{0}});
    EXPECT_EQ(earlier.alternatives, (Alternatives{{{0, 0}, 0}}));
}

TEST(LazyClocks, Figure54SynchronousSends) {
    // P1's Ssend is matched by P2's first pending wildcard; then P1 tells P3, which sends to P2. P0 is concurrent.
    Receiver p2;
    // Another tag's epochs complete first, so that the final clock is well above the clock at posting.
    const auto h0 = p2.irecv(any_source, 0, {1, 0, 0, LamportClock{0}, true});
    const LamportClock posted = p2.clocks.posted_clock(0);
    p2.recv(any_source, 7, {4, 7, 0});
    p2.recv(any_source, 7, {4, 7, 1});
    const LamportClock p1_after = LazyClocks::acknowledgement(posted, true);
    EXPECT_EQ(p1_after, LamportClock{1});
    const auto h1 = p2.irecv(any_source, 0, {0, 0, 0, LamportClock{0}});
    const auto h2 = p2.irecv(any_source, 0, {3, 0, 0, p1_after});
    p2.wait(h2);
    p2.wait(h1);
    p2.wait(h0);
    EXPECT_EQ(p2.final_clock, (Finals{{0, 2}, {1, 0}, {2, 1}, {3, 3}, {4, 4}}));
    EXPECT_EQ(p2.alternatives, (Alternatives{{{0, 0}, 0}, {{3, 3}, 0}}))
        << "P0 could have come in place of P1 and P3 in place of P0, but P3 never in place of P1";
}

TEST(LazyClocks, AnAcknowledgementCountsTheReceiveOnlyIfItIsAnEpoch) {
    EXPECT_EQ(LazyClocks::acknowledgement(LamportClock{3}, false), LamportClock{3});
    EXPECT_EQ(LazyClocks::acknowledgement(LamportClock{3}, true), LamportClock{4});
    EXPECT_TRUE(LazyClocks::may_replace_synchronous(LamportClock{3}, LamportClock{3}));
    EXPECT_FALSE(LazyClocks::may_replace_synchronous(LamportClock{4}, LamportClock{3}));
}

TEST(LazyClocks, ANamedReceiveAfterAPendingWildcardShowsTheAlternative) {
    // irecv(*) takes P1's first message, recv(P2) completes before its wait: P2's could have come first.
    Receiver p0;
    const auto h = p0.irecv(any_source, 0, {1, 0, 0});
    p0.recv(2, 0, {2, 0, 0});
    p0.wait(h);
    // (2 would have fitted the wildcard, so that must have matched before: its clock is final at recv(P2).)
    EXPECT_EQ(p0.final_clock, (Finals{{0, 0}}));
    EXPECT_EQ(p0.alternatives, (Alternatives{{{0, 2}, 0}}));
}

TEST(LazyClocks, FinalClocksNeedNotBeInPostingOrder) {
    Receiver p0;
    const auto h0 = p0.irecv(any_source, 2, {1, 2, 0});
    const auto h1 = p0.irecv(any_source, 3, {2, 3, 0});
    p0.recv(any_source, 2, {2, 2, 1});
    p0.recv(any_source, 3, {1, 3, 1});
    p0.wait(h0);
    p0.wait(h1);
    EXPECT_EQ(p0.final_clock, (Finals{{0, 0}, {1, 2}, {2, 1}, {3, 3}}));
    EXPECT_EQ(p0.alternatives, (Alternatives{{{0, 2}, 1}, {{1, 1}, 1}}));
}

TEST(LazyClocks, TheTagThatAnAnyTagReceiveTookDecidesWhatMatchesBeforeIt) {
    // P0: irecv(*, 3), irecv(*, any), recv(*, 2), send(P2); P1 sends tags 3, 3, 2; P2 then sends tag 3. Deterministic.
    Receiver p0;
    const auto h0 = p0.irecv(any_source, 3, {1, 3, 0});
    const auto h1 = p0.irecv(any_source, any_tag, {1, 3, 1});
    p0.recv(any_source, 2, {1, 2, 2});
    EXPECT_EQ(p0.final_clock, (Finals{{0, 0}, {1, 1}, {2, 2}}));
    const LamportClock sent = p0.clocks.now();  // to P2, which answers at this clock
    EXPECT_EQ(sent, LamportClock{3});
    p0.wait(h0);
    p0.wait(h1);
    p0.leftover({2, 3, 0, sent});
    EXPECT_EQ(p0.alternatives, Alternatives{});
}

TEST(LazyClocks, OnlyTheFirstMessageOfASourceIsAPotentialMatch) {
    Receiver p0;
    p0.recv(any_source, any_tag, {1, 0, 0});
    p0.recv(2, 9, {2, 9, 5});
    EXPECT_EQ(p0.alternatives, (Alternatives{{{0, 2}, 5}}));
    p0.recv(2, 8, {2, 8, 3});  // sent earlier, received later
    EXPECT_EQ(p0.alternatives, (Alternatives{{{0, 2}, 3}})) << "a smaller number replaces the former";
    p0.recv(2, 8, {2, 8, 6});
    EXPECT_EQ(p0.alternatives, (Alternatives{{{0, 2}, 3}}));
}

TEST(LazyClocks, WhatAnEarlierOperationTookIsNoPotentialMatch) {
    // irecv(P2) is posted before the wildcard: P2's message can only go there.
    Receiver p0;
    const auto h = p0.irecv(2, 0, {2, 0, 0});
    p0.recv(any_source, 0, {1, 0, 0});
    p0.wait(h);
    EXPECT_EQ(p0.alternatives, Alternatives{});
}

TEST(LazyClocks, OtherTagsAndCommunicatorsDoNotMix) {
    LazyClocks clocks;
    clocks.post_epoch({.comm = 5, .source = any_source, .tag = 1}, 0);
    clocks.match_epoch(0, 1, false);
    int found = 0;
    const auto report = [&](const PotentialMatchFound&) { ++found; };
    clocks.analyse({.name = {2, 6, 0}, .tag = 1, .clock = {}}, never_taken, report);
    clocks.analyse({.name = {2, 5, 0}, .tag = 2, .clock = {}}, never_taken, report);
    clocks.analyse({.name = {1, 5, 1}, .tag = 1, .clock = {}}, never_taken, report);
    EXPECT_EQ(found, 0) << "another communicator, another tag, the matched source itself";
    clocks.analyse({.name = {2, 5, 0}, .tag = 1, .clock = {}}, never_taken, report);
    EXPECT_EQ(found, 1);
}

TEST(LazyClocks, AnEpochMatchesOnce) {
    LazyClocks clocks;
    clocks.post_epoch({.comm = 1, .source = any_source, .tag = 1}, 0);
    EXPECT_THROW(clocks.match_epoch(1, 0, false), InternalError);
    EXPECT_THROW(clocks.match_epoch(0, any_source, false), InternalError);
    clocks.match_epoch(0, 3, false);
    EXPECT_THROW(clocks.match_epoch(0, 3, false), InternalError);
}

TEST(LazyClocks, RandomAnalysesAgreeWithTheDefinition) {
    struct Known {
        ReceiveSpec spec;
        PostingOrder order;
        std::uint64_t posted;
        std::optional<std::uint64_t> final;
        Rank source;
        bool synchronous;
    };
    std::uint64_t reports = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        std::mt19937 random(seed);
        const auto upto = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
        LazyClocks clocks;
        std::vector<Known> model;
        std::uint64_t now = 0;
        Alternatives got;
        Alternatives expected;
        PostingOrder next = 0;
        for (unsigned step = 0; step < 600; ++step) {
            const unsigned what = upto(8);
            if (what < 2) {
                const ReceiveSpec spec{.comm = upto(2), .source = any_source, .tag = static_cast<Tag>(upto(4)) - 1};
                ASSERT_EQ(clocks.post_epoch(spec, next), model.size());
                model.push_back({spec, next, now, std::nullopt, any_source, false});
                ++next;
            } else if (what < 4 && !model.empty()) {
                const unsigned index = upto(static_cast<unsigned>(model.size()));
                Known& known = model[index];
                if (!known.final) {
                    known.source = static_cast<Rank>(upto(4));
                    known.synchronous = upto(4) == 0;
                    known.final = now++;
                    ASSERT_EQ(clocks.match_epoch(index, known.source, known.synchronous), LamportClock{*known.final});
                }
            } else if (what == 4) {
                const std::uint64_t learned = upto(2) == 0 ? now / 2 : now + upto(3);
                clocks.learn(LamportClock{learned});
                now = std::max(now, learned);
            } else {
                const auto source = static_cast<Rank>(upto(4));
                // Numbers come in any order: receives of other tags complete first.
                const IncomingMessage message{.name = {source, upto(2), upto(1000)},
                                              .tag = static_cast<Tag>(upto(3)),
                                              .clock = LamportClock{upto(static_cast<unsigned>(now) + 2)}};
                const PostingOrder taken_by = upto(3) == 0 ? never_taken : upto(static_cast<unsigned>(next) + 1);
                clocks.analyse(message, taken_by, [&](const PotentialMatchFound& found) {
                    ++reports;
                    got[{found.epoch, found.source}] = found.number;
                });
                for (std::uint32_t i = 0; i < model.size(); ++i) {
                    const Known& epoch = model[i];
                    if (!epoch.final || epoch.order >= taken_by || epoch.source == source ||
                        !epoch.spec.fits(message.name.comm, source, message.tag) ||
                        message.clock.value > *epoch.final ||
                        (epoch.synchronous && message.clock.value > epoch.posted)) {
                        continue;
                    }
                    const auto [at, fresh] = expected.try_emplace({i, source}, message.name.number);
                    at->second = std::min(at->second, message.name.number);
                }
            }
            ASSERT_EQ(clocks.now(), LamportClock{now});
            ASSERT_EQ(got, expected) << seed << " " << step;
        }
    }
    EXPECT_GT(reports, 10000U) << "the random cases are worth something";
}

}  // namespace
}  // namespace dampi::clocks
