// A receive that has matched without the program knowing counts as pending for what the program posts: later matches
// depend on it until it is learned, in the rank and in the late-message analysis.
#include "clocks/late_messages.hpp"
#include "clocks/lazy_clocks.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace dampi::clocks {
namespace {

constexpr base::ReceiveSpec any{.comm = base::world_comm, .source = base::any_source, .tag = base::any_tag};

IncomingMessage message(base::Rank source, std::uint64_t number = 0) {
    return {.name = {.source = source, .comm = base::world_comm, .number = number}, .tag = 0, .clock = {}};
}

struct UnlearnedMatches : testing::TestWithParam<Protocol> {
    LazyClocks clocks{0, GetParam()};

    Posted post(const base::ReceiveSpec& spec) {
        Posted posted = clocks.post(spec, spec.wildcard());
        clocks.keep_pending(posted);
        return posted;
    }
    Match match(const Posted& posted, const IncomingMessage& taken, bool learned = true) {
        return clocks.match(posted, taken.name.source, &taken, learned);
    }
    /// Whether who knows `later` knows that epoch `index` has matched, whose own match is `epoch`.
    static bool knows(const Snapshot& later, std::uint32_t index, const Match& epoch) {
        return GetParam() == Protocol::vector ? later->clock.vector.knows(0, index)
                                              : !later->clock.lamport.is_late_for(epoch.final);
    }
};

TEST_P(UnlearnedMatches, ThoseOfLaterPostingsDependOnThem) {
    const Posted first = post(any);
    const IncomingMessage from_1 = message(1);
    const Match noticed = match(first, from_1, false);
    EXPECT_EQ(noticed.at, unlearned);
    EXPECT_TRUE(clocks.now()->clock == Clock{});

    const Posted second = post(any);
    EXPECT_EQ(second.oldest_pending, first.order);
    EXPECT_FALSE(knows(second.clock, 0, noticed));
    const Match later = match(second, message(2));
    EXPECT_TRUE(knows(later.past, 0, noticed));
    EXPECT_NE(later.at, unlearned);
}

TEST_P(UnlearnedMatches, OneThatAcceptsOtherMessagesIsNoneOfTheirBusiness) {
    const Posted first = post({.comm = base::world_comm, .source = base::any_source, .tag = 7});
    IncomingMessage from_1 = message(1);
    from_1.tag = 7;
    const Match noticed = match(first, from_1, false);
    const Posted second = post({.comm = base::world_comm, .source = base::any_source, .tag = 0});
    const Match later = match(second, message(2));
    EXPECT_FALSE(knows(later.past, 0, noticed));
}

TEST_P(UnlearnedMatches, OnceLearnedTheyAreOver) {
    const Posted first = post(any);
    const Match noticed = match(first, message(1), false);
    clocks.learn(noticed.after);
    const Posted second = post(any);
    EXPECT_EQ(second.oldest_pending, second.order);
    EXPECT_TRUE(knows(second.clock, 0, noticed));
    EXPECT_TRUE(knows(match(second, message(2)).past, 0, noticed));
}

TEST_P(UnlearnedMatches, AnOperationThatNeverPendsAsksForEarlierOnes) {
    const Posted first = post(any);
    const Posted second = post(any);
    const Posted blocking = clocks.post({.comm = base::world_comm, .source = 1, .tag = 0}, false);
    const Match of_first = match(first, message(2));
    const Match of_second = match(second, message(2, 1));
    const Match last = match(blocking, message(1));
    EXPECT_TRUE(knows(last.past, 0, of_first));
    EXPECT_TRUE(knows(last.past, 1, of_second));
}

TEST_P(UnlearnedMatches, ManyAreKeptUntilTheyAreLearned) {
    std::vector<Match> noticed;
    const Posted open = post({.comm = base::world_comm, .source = 5, .tag = 99});  // pending all the time
    for (std::uint32_t i = 0; i < 500; ++i) {
        const Posted posted = post(any);
        EXPECT_EQ(posted.oldest_pending, open.order);
        noticed.push_back(match(posted, message(1, i), false));
        EXPECT_TRUE(i == 0 || knows(noticed[i].past, i - 1, noticed[i - 1]));
    }
    for (const Match& each : noticed) {
        clocks.learn(each.after);
    }
    clocks.drop(open);
    const Posted last = post(any);
    EXPECT_EQ(last.oldest_pending, last.order);
    EXPECT_TRUE(knows(last.clock, 499, noticed.back()));
}

TEST_P(UnlearnedMatches, TheAnalysisCountsThemAsPending) {
    const Posted first = post(any);
    const IncomingMessage from_1 = message(1);
    const Match noticed = match(first, from_1, false);
    const Posted second = post(any);
    const Match later = match(second, message(2));
    const auto recorded = [](const Posted& posted, const Match& match, base::Rank source) {
        return RecordedReceive{.order = posted.order,
                               .spec = posted.spec,
                               .epoch = posted.epoch,
                               .posted = posted.clock->clock,
                               .posted_at = posted.at,
                               .oldest_pending = posted.oldest_pending,
                               .settled_at = match.at,
                               .taken = MessageFacts{.source = source, .tag = 0, .number = 0},
                               .final = match.final,
                               .after = match.after->clock};
    };
    LateMessage from_3;
    from_3.name = {.source = 3, .comm = base::world_comm, .number = 0};
    const auto found =
        potential_matches(0, GetParam(), {recorded(first, noticed, 1), recorded(second, later, 2)}, {from_3});
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].epoch, 0U);
    EXPECT_EQ(found[1].epoch, 1U);
    EXPECT_TRUE(found[0].past == Clock{});
    EXPECT_TRUE(found[1].past == noticed.after->clock);
}

INSTANTIATE_TEST_SUITE_P(Protocols, UnlearnedMatches, testing::Values(Protocol::vector, Protocol::lamport),
                         [](const auto& info) { return info.param == Protocol::vector ? "vector" : "lamport"; });

}  // namespace
}  // namespace dampi::clocks
