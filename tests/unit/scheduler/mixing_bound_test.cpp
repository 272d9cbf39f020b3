// Bounded mixing on a model of examples/matmul.c: the counts are known exactly. With a_e alternatives at the e-th
// receive there are 1 + sum over e of a_e * product for i = 1..K of (1 + a_(e+i)) interleavings.
#include "scheduler/exploration/match_relations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace dampi::scheduler {
namespace {

using replay::Decision;
using replay::Epoch;
using replay::Interleaving;
using replay::Rank;
using replay::RunRecord;

/// The master hands one block to each worker, then, for each result that it receives from anybody, the next.
RunRecord multiply(const Interleaving& interleaving, std::uint32_t workers, std::uint32_t blocks) {
    RunRecord record;
    clocks::Clock known;
    std::set<Rank> busy;
    std::map<Rank, std::uint64_t> received;
    std::uint32_t next = 0;
    for (Rank worker = 1; worker <= static_cast<Rank>(workers) && next < blocks; ++worker, ++next) {
        busy.insert(worker);
    }
    auto decision = interleaving.decisions.begin();
    for (std::uint32_t index = 0; index < blocks; ++index) {
        Epoch& epoch = record.epochs.emplace_back();
        epoch.id = {0, index};
        epoch.comm = 1;
        epoch.tag = 2;
        epoch.posted = known;
        epoch.past = known;
        Rank from = *busy.begin();
        if (decision != interleaving.decisions.end() && decision->epoch == epoch.id) {
            from = decision->outcome.source;
            epoch.forced = true;
            EXPECT_TRUE(busy.contains(from));
            EXPECT_EQ(decision->outcome.number, received[from]);
            ++decision;
        }
        epoch.outcome = replay::Outcome{.source = from, .tag = 2, .number = received[from], .completed = {}};
        for (const Rank other : busy) {
            if (other != from) {
                epoch.potential_matches.push_back(
                    {.source = other, .tag = 2, .number = received[other], .past = known});
            }
        }
        known.vector.add(0, index);
        ++received[from];
        if (next < blocks) {
            ++next;
        } else {
            busy.erase(from);
        }
    }
    EXPECT_TRUE(decision == interleaving.decisions.end());
    return record;
}

using Decisions = std::vector<std::pair<std::uint32_t, Rank>>;

std::set<Decisions> explored(std::uint32_t workers, std::uint32_t blocks, std::optional<std::uint32_t> mixing,
                             heuristics::Order order = heuristics::Order::depth_first) {
    MatchRelationsSettings settings;
    settings.bounds.mixing_bound = mixing;
    settings.order = order;
    MatchRelations explorer(settings);
    std::set<Decisions> all;
    while (const auto interleaving = explorer.next()) {
        Decisions decisions;
        for (const Decision& decision : interleaving->decisions) {
            decisions.emplace_back(decision.epoch.index, decision.outcome.source);
        }
        EXPECT_TRUE(all.insert(std::move(decisions)).second);
        explorer.apply(explorer.learn(interleaving->number, multiply(*interleaving, workers, blocks), {}).value());
    }
    return all;
}

std::uint64_t expected(std::uint32_t workers, std::uint32_t blocks, std::uint32_t mixing) {
    const auto alternatives = [&](std::uint32_t receive) -> std::uint64_t {
        return receive >= blocks ? 0 : std::min(workers, blocks - receive) - 1;
    };
    std::uint64_t count = 1;
    for (std::uint32_t receive = 0; receive < blocks; ++receive) {
        std::uint64_t behind = alternatives(receive);
        for (std::uint32_t i = 1; i <= mixing && receive + i < blocks; ++i) {
            behind *= 1 + alternatives(receive + i);
        }
        count += behind;
    }
    return count;
}

TEST(MixingBound, MatmulWithEightBlocksGivesThePublishedCounts) {
    struct Row {
        std::uint32_t processes;
        std::uint64_t zero, one, two, unbounded;
    };
    constexpr Row rows[] = {{2, 1, 1, 1, 1},         {3, 8, 14, 24, 128},     {4, 14, 36, 90, 1458},
                            {5, 19, 63, 204, 6144},  {6, 23, 91, 352, 15000}, {7, 26, 116, 502, 25920},
                            {8, 28, 134, 604, 35280}};
    for (const Row& row : rows) {
        const std::uint32_t workers = row.processes - 1;
        EXPECT_EQ(explored(workers, 8, 0).size(), row.zero) << row.processes;
        EXPECT_EQ(explored(workers, 8, 1).size(), row.one) << row.processes;
        EXPECT_EQ(explored(workers, 8, 2).size(), row.two) << row.processes;
        EXPECT_EQ(explored(workers, 8, std::nullopt).size(), row.unbounded) << row.processes;
    }
}

TEST(MixingBound, EveryBoundGivesWhatItsDefinitionSaysAndContainsTheSmallerOnes) {
    for (const std::uint32_t workers : {1U, 2U, 3U, 4U}) {
        for (const std::uint32_t blocks : {1U, 3U, 6U}) {
            std::set<Decisions> smaller;
            for (std::uint32_t mixing = 0; mixing <= blocks; ++mixing) {
                const auto larger = explored(workers, blocks, mixing);
                EXPECT_EQ(larger.size(), expected(workers, blocks, mixing))
                    << workers << ' ' << blocks << ' ' << mixing;
                EXPECT_TRUE(std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end()));
                smaller = larger;
            }
            EXPECT_EQ(smaller, explored(workers, blocks, std::nullopt));
        }
    }
}

TEST(MixingBound, TheOrderDoesNotMatter) {
    const auto depth_first = explored(3, 6, 2);
    for (const heuristics::Order order :
         {heuristics::Order::newest, heuristics::Order::breadth_first, heuristics::Order::random}) {
        EXPECT_EQ(explored(3, 6, 2, order), depth_first);
    }
}

}  // namespace
}  // namespace dampi::scheduler
