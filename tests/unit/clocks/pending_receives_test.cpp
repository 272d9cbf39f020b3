// The set of pending receives against a naive model.
#include "clocks/pending_receives.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

namespace dampi::clocks {
namespace {

constexpr base::ReceiveSpec from(base::Rank source, base::Tag tag, base::CommId comm = base::world_comm) {
    return {.comm = comm, .source = source, .tag = tag};
}

/// What was kept with the receive, which is taken out; nothing if it is not there.
template <typename Payload>
std::optional<Payload> take(PendingReceives<Payload>& pending, base::PostingOrder order) {
    auto* found = pending.find(order);
    if (found == nullptr) {
        return std::nullopt;
    }
    const Payload kept = found->payload;
    EXPECT_TRUE(pending.remove(order));
    EXPECT_FALSE(pending.remove(order));
    return kept;
}

TEST(PendingReceives, TheEarliestThatFitsIsFound) {
    PendingReceives<char> pending;
    EXPECT_TRUE(pending.empty());
    EXPECT_EQ(pending.first_before(100, base::world_comm, 0, 0), nullptr);
    pending.add(1, from(base::any_source, 4)) = 'a';
    pending.add(3, from(2, base::any_tag)) = 'b';
    pending.add(4, from(base::any_source, base::any_tag)) = 'c';
    pending.add(6, from(2, 4, 9)) = 'd';
    ASSERT_NE(pending.first_before(10, base::world_comm, 2, 4), nullptr);
    EXPECT_EQ(pending.first_before(10, base::world_comm, 2, 4)->payload, 'a');
    EXPECT_EQ(pending.first_before(10, base::world_comm, 2, 5)->payload, 'b');
    EXPECT_EQ(pending.first_before(10, base::world_comm, 1, 5)->payload, 'c');
    EXPECT_EQ(pending.first_before(10, 9, 2, 4)->payload, 'd');
    EXPECT_EQ(pending.first_before(10, 9, 1, 4), nullptr);
}

TEST(PendingReceives, OnlyThosePostedBefore) {
    PendingReceives<char> pending;
    pending.add(5, from(base::any_source, base::any_tag)) = 'a';
    EXPECT_EQ(pending.first_before(5, base::world_comm, 0, 0), nullptr) << "a receive does not match before itself";
    EXPECT_EQ(pending.first_before(4, base::world_comm, 0, 0), nullptr);
    EXPECT_NE(pending.first_before(6, base::world_comm, 0, 0), nullptr);
}

TEST(PendingReceives, RemovingGivesBackWhatWasKeptOnce) {
    PendingReceives<char> pending;
    pending.add(1, from(0, 0)) = 'a';
    pending.add(2, from(0, 0)) = 'b';
    pending.add(3, from(0, 0)) = 'c';
    ASSERT_NE(pending.find(2), nullptr);
    EXPECT_EQ(pending.find(2)->payload, 'b');
    EXPECT_EQ(take(pending, 2), 'b');
    EXPECT_EQ(pending.find(2), nullptr);
    EXPECT_EQ(take(pending, 2), std::nullopt);
    EXPECT_EQ(take(pending, 7), std::nullopt);
    EXPECT_EQ(take(pending, 1), 'a');
    EXPECT_EQ(take(pending, 3), 'c');
    EXPECT_TRUE(pending.empty());
    EXPECT_EQ(take(pending, 3), std::nullopt);
}

TEST(PendingReceives, RandomOperationsAgreeWithANaiveModel) {
    struct Known {
        base::PostingOrder order;
        base::ReceiveSpec spec;
        unsigned payload;
    };
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937 random(seed);
        const auto upto = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
        PendingReceives<unsigned> pending;
        std::vector<Known> model;
        base::PostingOrder next = 0;
        // Some phases mostly add, some mostly remove; removals are mostly at the front, as in programs.
        for (unsigned step = 0; step < 20000; ++step) {
            const bool growing = step / 500 % 2 == 0;
            const unsigned what = upto(10);
            if (what < (growing ? 5U : 2U)) {
                next += 1 + upto(3);
                const base::ReceiveSpec spec =
                    from(static_cast<base::Rank>(upto(4)) - 1, static_cast<base::Tag>(upto(4)) - 1, upto(2));
                model.push_back({next, spec, step});
                pending.add(next, spec) = step;
            } else if (what < 7 && !model.empty()) {
                const std::size_t at = upto(3) != 0 ? upto(std::min<unsigned>(3, static_cast<unsigned>(model.size())))
                                                    : upto(static_cast<unsigned>(model.size()));
                ASSERT_EQ(take(pending, model[at].order), model[at].payload) << seed << " " << step;
                ASSERT_EQ(take(pending, model[at].order), std::nullopt);
                model.erase(model.begin() + static_cast<std::ptrdiff_t>(at));
            } else {
                const base::PostingOrder before = upto(2) == 0 ? next + 1 : upto(static_cast<unsigned>(next) + 2);
                const base::CommId comm = upto(2);
                const auto source = static_cast<base::Rank>(upto(3));
                const auto tag = static_cast<base::Tag>(upto(3));
                const auto expected = std::find_if(model.begin(), model.end(), [&](const Known& known) {
                    return known.order < before && known.spec.fits(comm, source, tag);
                });
                const auto* found = pending.first_before(before, comm, source, tag);
                ASSERT_EQ(found == nullptr, expected == model.end()) << seed << " " << step;
                if (found != nullptr) {
                    ASSERT_EQ(found->order, expected->order);
                    ASSERT_EQ(found->payload, expected->payload);
                }
            }
            ASSERT_EQ(pending.size(), model.size());
            ASSERT_EQ(pending.empty(), model.empty());
            if (step % 100 == 0) {
                ASSERT_TRUE(std::equal(pending.begin(), pending.end(), model.begin(), model.end(),
                                       [](const auto& a, const Known& b) {
                                           return a.order == b.order && a.spec == b.spec && a.payload == b.payload;
                                       }));
            }
        }
    }
}

TEST(PendingReceives, ALongQueueTakenFromTheFrontStaysFast) {
    // 200 receives always pending, a million come and go: what is gone must be forgotten.
    PendingReceives<int> pending;
    for (base::PostingOrder order = 0; order < 200; ++order) {
        pending.add(order, from(0, 0)) = 0;
    }
    for (base::PostingOrder order = 200; order < 1'000'000; ++order) {
        pending.add(order, from(0, 0)) = 0;
        ASSERT_TRUE(take(pending, order - 200));
    }
    EXPECT_EQ(pending.size(), 200U);
}

}  // namespace
}  // namespace dampi::clocks
