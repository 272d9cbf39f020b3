#include "scheduler/engines/central/preferences.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace dampi::scheduler::central {
namespace {

const std::vector<Channel> four_senders{{1, 0}, {2, 0}, {3, 0}, {4, 0}};

/// What a run of its own seed has.
struct RunByChance {
    explicit RunByChance(unsigned seed) : numbers(seed), random([this] { return numbers(); }), preferences(random) {}
    RunByChance(const RunByChance&) = delete;
    RunByChance& operator=(const RunByChance&) = delete;

    base::Rank first_of(const std::vector<Channel>& channels) {
        return channels[preferences.one(channels, random)].source;
    }

    std::mt19937_64 numbers;
    Preferences::Random random;
    Preferences preferences;
};

/// In which share of runs it holds.
template <typename Holds>
double share_of_runs(Holds&& holds) {
    constexpr unsigned runs = 4000;
    unsigned count = 0;
    for (unsigned seed = 0; seed < runs; ++seed) {
        RunByChance run(seed);
        count += holds(run) ? 1 : 0;
    }
    return static_cast<double>(count) / runs;
}

TEST(CentralPreferences, WithoutAnyEachIsAsLikely) {
    Preferences none;
    std::mt19937_64 numbers(1);
    std::map<std::size_t, unsigned> taken;
    for (int i = 0; i < 4000; ++i) {
        ++taken[none.one(four_senders, [&] { return numbers(); })];
    }
    ASSERT_EQ(taken.size(), 4U);
    for (const auto& [place, count] : taken) {
        EXPECT_NEAR(count, 1000, 150) << place;
    }
}

TEST(CentralPreferences, EachSenderIsTheFirstInAsManyRuns) {
    for (base::Rank sender = 1; sender <= 4; ++sender) {
        EXPECT_NEAR(share_of_runs([&](RunByChance& run) { return run.first_of(four_senders) == sender; }), 0.25, 0.03);
    }
}

TEST(CentralPreferences, OneSenderComesBeforeAllOthersAgainAndAgain) {
    const double often = share_of_runs([](RunByChance& run) {
        for (int i = 0; i < 6; ++i) {
            if (run.first_of(four_senders) != 4) {
                return false;
            }
        }
        return true;
    });
    // With a lot for each choice it would be 0.25 to the 6th, 0.0002.
    EXPECT_GT(often, 0.04);
}

TEST(CentralPreferences, ThenAnother) {
    const double often = share_of_runs([](RunByChance& run) {
        for (int i = 0; i < 8; ++i) {
            if (run.first_of(four_senders) != (i < 4 ? 3 : 2)) {
                return false;
            }
        }
        return true;
    });
    EXPECT_GT(often, 0.001) << "one change of heart";
}

TEST(CentralPreferences, HalfOfTheRunsHaveNone) {
    const double in_all_orders = share_of_runs([](RunByChance& run) {
        std::set<base::Rank> seen;
        for (int i = 0; i < 50; ++i) {
            seen.insert(run.first_of(four_senders));
        }
        return seen.size() == 4;
    });
    EXPECT_NEAR(in_all_orders, 0.5 + 0.5 / 4, 0.1) << "and of those with three changes some";
}

TEST(CentralPreferences, NobodyIsPutOffForEver) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        RunByChance run(seed);
        std::set<base::Rank> seen;
        for (int i = 0; i < 2048 + 100; ++i) {
            seen.insert(run.first_of(four_senders));
        }
        EXPECT_EQ(seen.size(), 4U) << seed;
    }
}

TEST(CentralPreferences, SendersOrChannels) {
    // To whom a sender comes first is drawn for each receiver in some runs, and in others it is the same for all.
    const double same = share_of_runs([](RunByChance& run) {
        const base::Rank one = run.first_of({{1, 5}, {2, 5}});
        const base::Rank other = run.first_of({{1, 6}, {2, 6}});
        return one == other;
    });
    EXPECT_GT(same, 0.55);
    EXPECT_LT(same, 0.75);
}

TEST(CentralPreferences, SomeAreAtLeastOneAndInOrder) {
    std::set<std::vector<std::size_t>> seen;
    for (unsigned seed = 0; seed < 2000; ++seed) {
        RunByChance run(seed);
        const std::vector<std::size_t> places = run.preferences.some(four_senders, run.random);
        ASSERT_FALSE(places.empty());
        ASSERT_TRUE(std::is_sorted(places.begin(), places.end()));
        ASSERT_EQ(std::set<std::size_t>(places.begin(), places.end()).size(), places.size());
        ASSERT_LT(places.back(), 4U);
        seen.insert(places);
    }
    EXPECT_EQ(seen.size(), 15U) << "each set";
}

TEST(CentralPreferences, TheSameNumbersTheSameChoices) {
    for (unsigned seed = 0; seed < 50; ++seed) {
        RunByChance one(seed);
        RunByChance other(seed);
        for (int i = 0; i < 20; ++i) {
            ASSERT_EQ(one.first_of(four_senders), other.first_of(four_senders));
        }
    }
}

}  // namespace
}  // namespace dampi::scheduler::central
