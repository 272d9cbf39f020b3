// The depth-first explorer over simulated programs: hand-made trees of decisions, and a master with workers
// whose potential matches come from the real clocks. Each outcome is run once, and all of them.
#include "scheduler/exploration/depth_first.hpp"

#include "clocks/lazy_clocks.hpp"
#include "scheduler/exploration/single.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dampi::scheduler {
namespace {

using replay::Decision;
using replay::Epoch;
using replay::EpochId;
using replay::Interleaving;
using replay::Rank;
using replay::RunRecord;

/// An epoch and how the program goes on for each source; none: it never matches (a deadlock, say).
struct Tree {
    EpochId epoch;
    std::vector<std::pair<Rank, std::vector<Tree>>> branches;  ///< source -> the next epoch (at most one), if any
    std::function<bool(Rank alternative, const std::map<EpochId, Rank>& outcomes)> visible{};
};

Tree node(Rank rank, std::uint32_t index, std::vector<std::pair<Rank, std::vector<Tree>>> branches) {
    return {.epoch = {rank, index}, .branches = std::move(branches)};
}

/// Runs a tree: follows the decisions, and where there are none the branch that `free_choice` names.
class Simulation {
public:
    explicit Simulation(Tree program) : program_(std::move(program)) {}

    std::function<std::size_t(std::size_t branches)> free_choice = [](std::size_t) { return 0; };
    std::set<EpochId> unmet;  ///< decisions that named no epoch of their run

    RunRecord run(const Interleaving& interleaving) {
        std::map<EpochId, Decision> decisions;
        for (const Decision& decision : interleaving.decisions) {
            EXPECT_TRUE(decisions.emplace(decision.epoch, decision).second);
        }
        EXPECT_TRUE(std::is_sorted(interleaving.decisions.begin(), interleaving.decisions.end(),
                                   [](const Decision& a, const Decision& b) { return a.epoch < b.epoch; }));
        RunRecord record;
        std::map<EpochId, Rank> outcomes;
        std::vector<std::pair<const Tree*, std::size_t>> met;
        std::uint64_t clock = 0;
        for (const Tree* at = &program_; at != nullptr;) {
            Epoch epoch;
            epoch.id = at->epoch;
            epoch.kind = replay::EpochKind::receive;
            epoch.comm = 10 + at->epoch.index;
            epoch.tag = at->epoch.rank;
            epoch.posted_clock = clock;
            const Tree* next = nullptr;
            const auto decided = decisions.find(at->epoch);
            if (!at->branches.empty()) {
                std::size_t taken = free_choice(at->branches.size());
                if (decided != decisions.end()) {
                    epoch.forced = true;
                    EXPECT_EQ(decided->second.kind, epoch.kind);
                    EXPECT_EQ(decided->second.comm, epoch.comm);
                    EXPECT_EQ(decided->second.tag, epoch.tag);
                    taken = at->branches.size();
                    for (std::size_t i = 0; i < at->branches.size(); ++i) {
                        taken = at->branches[i].first == decided->second.source ? i : taken;
                    }
                }
                if (taken < at->branches.size()) {
                    const auto& [source, rest] = at->branches[taken];
                    epoch.outcome = replay::PotentialMatch{source, 0, 0};
                    epoch.final_clock = clock++;
                    outcomes[at->epoch] = source;
                    next = rest.empty() ? nullptr : &rest.front();
                }
            }
            decisions.erase(at->epoch);
            met.emplace_back(at, record.epochs.size());
            record.epochs.push_back(epoch);
            at = next;
        }
        for (const auto& [at, index] : met) {
            Epoch& epoch = record.epochs[index];
            for (const auto& [source, rest] : at->branches) {
                if ((!epoch.outcome || source != epoch.outcome->source) &&
                    (!at->visible || at->visible(source, outcomes))) {
                    epoch.potential_matches.push_back({source, 0, 0});
                }
            }
            std::sort(epoch.potential_matches.begin(), epoch.potential_matches.end());
        }
        std::sort(record.epochs.begin(), record.epochs.end(),
                  [](const Epoch& a, const Epoch& b) { return a.id < b.id; });
        for (const auto& [epoch, decision] : decisions) {
            unmet.insert(epoch);
        }
        return record;
    }

private:
    Tree program_;
};

std::string outcome_of(const RunRecord& record) {
    std::string text;
    for (const Epoch& epoch : record.epochs) {
        text += std::to_string(epoch.id.rank) + "#" + std::to_string(epoch.id.index) + "<-" +
                (epoch.outcome ? std::to_string(epoch.outcome->source) : "nobody") + " ";
    }
    return text;
}

/// Explores to the end; the outcomes in the order in which they were run.
std::vector<std::string> explore(Explorer& explorer, const std::function<RunRecord(const Interleaving&)>& run) {
    std::vector<std::string> outcomes;
    while (const auto interleaving = explorer.next()) {
        EXPECT_EQ(interleaving->number, outcomes.size() + 1);
        const RunRecord record = run(*interleaving);
        explorer.learn(record);
        EXPECT_FALSE(explorer.last_diverged());
        outcomes.push_back(outcome_of(record));
        if (outcomes.size() > 100000) {
            ADD_FAILURE() << "it does not end";
            break;
        }
    }
    EXPECT_EQ(explorer.pending(), 0U);
    EXPECT_FALSE(explorer.next());
    return outcomes;
}

/// All leaves once: as many runs as outcomes, and `expected` of them.
void expect_each_once(Simulation& simulation, std::size_t expected) {
    DepthFirst explorer;
    const auto outcomes = explore(explorer, [&](const Interleaving& i) { return simulation.run(i); });
    const std::set<std::string> distinct(outcomes.begin(), outcomes.end());
    EXPECT_EQ(distinct.size(), expected);
    EXPECT_EQ(outcomes.size(), expected) << "an outcome was run twice";
    EXPECT_TRUE(simulation.unmet.empty()) << "a decision named no epoch";
}

/// A chain of epochs, rank 0's, each with these sources whatever came before.
Tree uniform(const std::vector<std::vector<Rank>>& sources, std::uint32_t from = 0) {
    Tree tree = node(0, from, {});
    for (const Rank source : sources[from]) {
        tree.branches.push_back({source, {}});
        if (from + 1 < sources.size()) {
            tree.branches.back().second.push_back(uniform(sources, from + 1));
        }
    }
    return tree;
}

TEST(DepthFirst, AProgramWithoutEpochsIsRunOnce) {
    DepthFirst explorer;
    const auto first = explorer.next();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->number, 1U);
    EXPECT_TRUE(first->decisions.empty());
    EXPECT_EQ(explorer.pending(), 0U);
    explorer.learn({});
    EXPECT_FALSE(explorer.next());
}

TEST(DepthFirst, OneEpochWithThreeSources) {
    Simulation simulation(uniform({{4, 1, 2}}));
    DepthFirst explorer;
    const auto outcomes = explore(explorer, [&](const Interleaving& i) { return simulation.run(i); });
    EXPECT_EQ(outcomes, (std::vector<std::string>{"0#0<-4 ", "0#0<-1 ", "0#0<-2 "}))
        << "the smallest untried source first";
}

TEST(DepthFirst, TheLatestEpochIsVariedFirst) {
    Simulation simulation(uniform({{1, 2}, {1, 2}}));
    DepthFirst explorer;
    const auto outcomes = explore(explorer, [&](const Interleaving& i) { return simulation.run(i); });
    EXPECT_EQ(outcomes,
              (std::vector<std::string>{"0#0<-1 0#1<-1 ", "0#0<-1 0#1<-2 ", "0#0<-2 0#1<-1 ", "0#0<-2 0#1<-2 "}));
}

TEST(DepthFirst, EverythingBeforeIsForcedAndTheRestIsFree) {
    Simulation simulation(uniform({{1, 2}, {3, 4}, {5, 6}}));
    DepthFirst explorer;
    ASSERT_TRUE(explorer.next());
    explorer.learn(simulation.run({}));
    EXPECT_EQ(explorer.pending(), 3U);
    const auto second = explorer.next();
    ASSERT_TRUE(second);
    EXPECT_EQ(explorer.pending(), 2U) << "what was handed out is no longer pending";
    ASSERT_EQ(second->decisions.size(), 3U);
    EXPECT_EQ(second->decisions[0].source, 1);
    EXPECT_EQ(second->decisions[1].source, 3);
    EXPECT_EQ(second->decisions[2].source, 6);
    explorer.learn(simulation.run(*second));
    const auto third = explorer.next();
    ASSERT_EQ(third->decisions.size(), 2U);
    EXPECT_EQ(third->decisions[1].source, 4);
}

TEST(DepthFirst, ProductsAreExact) {
    for (const auto& sources : std::vector<std::vector<std::vector<Rank>>>{{{1, 2}, {1, 2}, {1, 2}},
                                                                           {{1, 2, 3}, {4, 5}, {1, 2, 3, 4}},
                                                                           {{0}, {0}, {0}},
                                                                           {{2, 1}, {3}, {3}, {4, 1, 0}}}) {
        std::size_t product = 1;
        for (const auto& of_one : sources) {
            product *= of_one.size();
        }
        Simulation simulation(uniform(sources));
        expect_each_once(simulation, product);
    }
}

TEST(DepthFirst, EpochsWithoutAlternativesInBetween) {
    Simulation simulation(uniform({{7}, {1, 2}, {7}, {7}, {1, 2, 3}, {7}}));
    expect_each_once(simulation, 6);
    Simulation all_at_the_end(uniform({{7}, {7}, {7}, {1, 2}}));
    expect_each_once(all_at_the_end, 2);
}

TEST(DepthFirst, BranchesThatLeadToDifferentEpochs) {
    // Rank 0 decides which rank receives next; one branch ends, one never matches.
    const Tree program = node(0, 0,
                              {{1, {node(2, 0, {{0, {node(1, 0, {{0, {}}, {2, {}}})}}, {1, {}}})}},
                               {2, {node(1, 0, {{0, {}}, {2, {}}, {3, {node(1, 1, {{0, {}}, {3, {}}})}}})}},
                               {3, {}},
                               {4, {node(3, 0, {})}}});
    Simulation simulation(program);
    expect_each_once(simulation, 3 + 4 + 1 + 1);
}

TEST(DepthFirst, TheOrderIsThatOfTheClocksNotOfTheRanks) {
    // Rank 3's epoch is the first, rank 0's the last: rank 0's must be varied first.
    Simulation simulation(node(3, 0, {{1, {node(0, 0, {{1, {}}, {2, {}}})}}, {2, {node(0, 0, {{3, {}}})}}}));
    DepthFirst explorer;
    const auto outcomes = explore(explorer, [&](const Interleaving& i) { return simulation.run(i); });
    EXPECT_EQ(outcomes, (std::vector<std::string>{"0#0<-1 3#0<-1 ", "0#0<-2 3#0<-1 ", "0#0<-3 3#0<-2 "}));
}

TEST(DepthFirst, FreeRunsMayChooseAsTheyLike) {
    for (unsigned seed = 1; seed < 30; ++seed) {
        Simulation simulation(uniform({{1, 2, 3}, {1, 2}, {0}, {1, 2, 3}}));
        unsigned state = seed;
        simulation.free_choice = [state](std::size_t branches) mutable {
            state = state * 1664525 + 1013904223;
            return (state >> 16) % branches;
        };
        expect_each_once(simulation, 18);
    }
}

TEST(DepthFirst, AlternativesThatOnlyLaterRunsShowAreExplored) {
    // Source 3 of the first epoch becomes known only in runs where the second epoch takes 2.
    Tree program = uniform({{1, 2, 3}, {1, 2}});
    program.visible = [](Rank alternative, const std::map<EpochId, Rank>& outcomes) {
        const auto second = outcomes.find({0, 1});
        return alternative != 3 || (second != outcomes.end() && second->second == 2);
    };
    Simulation simulation(program);
    expect_each_once(simulation, 6);
}

TEST(DepthFirst, AlternativesThatOnlyASiblingsSubtreeShowsAreExplored) {
    Tree program = uniform({{1, 2, 3}, {1, 2}});
    program.visible = [](Rank alternative, const std::map<EpochId, Rank>& outcomes) {
        return alternative != 3 || outcomes.at({0, 0}) == 2;
    };
    Simulation simulation(program);
    expect_each_once(simulation, 6);
}

TEST(DepthFirst, AnEpochThatNeverMatchedIsForcedOnlyWhereAnAlternativeIsKnown) {
    // A deadlock: rank 1's wildcard is posted and gets nothing, but a message to another receive would fit.
    DepthFirst explorer;
    const auto run = [](const Interleaving& interleaving) {
        RunRecord record;
        Epoch stuck;
        stuck.id = {1, 0};
        stuck.posted_clock = 0;  // smaller than the other's final clock, and yet last in the order
        Epoch matched;
        matched.id = {2, 0};
        matched.final_clock = 3;
        matched.outcome = replay::PotentialMatch{0, 0, 0};
        matched.potential_matches = {{1, 0, 0}};
        stuck.potential_matches = {{0, 0, 0}};
        for (const Decision& decision : interleaving.decisions) {
            if (decision.epoch == stuck.id) {
                stuck.outcome = replay::PotentialMatch{decision.source, 0, 0};
                stuck.final_clock = 5;
            } else {
                EXPECT_EQ(decision.epoch, matched.id);
                matched.outcome = replay::PotentialMatch{decision.source, 0, 0};
            }
        }
        for (Epoch* epoch : {&stuck, &matched}) {
            std::erase_if(epoch->potential_matches, [&](const replay::PotentialMatch& match) {
                return epoch->outcome && match.source == epoch->outcome->source;
            });
        }
        record.epochs = {stuck, matched};
        return record;
    };
    EXPECT_EQ(explore(explorer, run), (std::vector<std::string>{"1#0<-nobody 2#0<-0 ", "1#0<-0 2#0<-0 ",
                                                                "1#0<-nobody 2#0<-1 ", "1#0<-0 2#0<-1 "}));
}

TEST(DepthFirst, RunsThatDoNotFollowAreSkippedAndTheRestGoesOn) {
    // Everything in the subtree of 0#0<-2 diverges, in one way or another.
    for (const int way : {0, 1, 2, 3, 4}) {
        Simulation simulation(uniform({{1, 2, 3}, {1, 2}}));
        DepthFirst explorer;
        std::set<std::string> outcomes;
        int diverged = 0;
        while (const auto interleaving = explorer.next()) {
            RunRecord record = simulation.run(*interleaving);
            const bool wrong = !interleaving->decisions.empty() && interleaving->decisions[0].source == 2;
            if (wrong) {
                // What such a run shows must not be used.
                record.epochs[1].potential_matches.push_back({77, 0, 0});
                record.epochs[0].potential_matches.push_back({78, 0, 0});
                switch (way) {
                    case 0:
                        record.diverged = true;
                        break;
                    case 1:
                        record.epochs[0].outcome->source = 3;
                        break;
                    case 2:
                        record.epochs[0].outcome.reset();
                        break;
                    case 3:
                        record.epochs.erase(record.epochs.begin());
                        break;
                    case 4:
                        record.epochs[0].kind = replay::EpochKind::probe;
                        break;
                }
            }
            explorer.learn(record);
            ASSERT_EQ(explorer.last_diverged(), wrong) << way;
            if (wrong) {
                ++diverged;
            } else {
                ASSERT_TRUE(outcomes.insert(outcome_of(record)).second) << way;
            }
            ASSERT_LT(outcomes.size() + static_cast<std::size_t>(diverged), 100U);
        }
        EXPECT_EQ(outcomes.size(), 4U) << way;
        EXPECT_EQ(diverged, 1) << way;
        EXPECT_EQ(explorer.pending(), 0U);
    }
}

/// A master hands one block to each worker, then for each result that it receives by wildcard the next
/// one. Clocks, late messages and numbers as in a real run.
RunRecord run_matmul(const Interleaving& interleaving, Rank workers, std::uint32_t blocks) {
    clocks::LazyClocks master;
    std::map<Rank, clocks::IncomingMessage> underway;
    std::vector<std::uint64_t> sent(static_cast<std::size_t>(workers) + 1);
    std::uint32_t handed_out = 0;
    const auto hand_out = [&](Rank worker) {
        if (handed_out < blocks) {
            ++handed_out;
            underway[worker] = {
                .name = {worker, 1, sent[static_cast<std::size_t>(worker)]++}, .tag = 0, .clock = master.now()};
        }
    };
    for (Rank worker = 1; worker <= workers; ++worker) {
        hand_out(worker);
    }
    RunRecord record;
    std::map<std::pair<std::uint32_t, Rank>, replay::PotentialMatch> potential;
    for (std::uint32_t i = 0; i < blocks; ++i) {
        master.post_epoch({.comm = 1, .source = clocks::any_source, .tag = 0}, i);
        Rank source = underway.begin()->first;
        for (const Decision& decision : interleaving.decisions) {
            source = decision.epoch.index == i ? decision.source : source;
        }
        if (!underway.contains(source)) {
            ADD_FAILURE() << "forced what is not there";
            record.diverged = true;
            return record;
        }
        const clocks::IncomingMessage message = underway.at(source);
        underway.erase(source);
        Epoch epoch;
        epoch.id = {0, i};
        epoch.comm = 1;
        epoch.tag = 0;
        epoch.outcome = replay::PotentialMatch{source, 0, message.name.number};
        epoch.final_clock = master.match_epoch(i, source, false).value;
        record.epochs.push_back(epoch);
        master.analyse(message, i, [&](const clocks::PotentialMatchFound& found) {
            potential[{found.epoch, found.source}] = {found.source, found.tag, found.number};
        });
        master.learn(message.clock);
        hand_out(source);
    }
    for (const auto& [where, match] : potential) {
        record.epochs[where.first].potential_matches.push_back(match);
    }
    return record;
}

TEST(DepthFirst, MatrixMultiplicationIsExploredExactly) {
    for (const auto& [workers, expected] : std::vector<std::pair<Rank, std::size_t>>{{2, 128}, {3, 1458}, {4, 6144}}) {
        DepthFirst explorer;
        const auto outcomes =
            explore(explorer, [workers = workers](const Interleaving& i) { return run_matmul(i, workers, 8); });
        EXPECT_EQ(outcomes.size(), expected);
        EXPECT_EQ(std::set<std::string>(outcomes.begin(), outcomes.end()).size(), expected);
    }
}

TEST(Followed, EveryDecisionMustBeMet) {
    Simulation simulation(uniform({{1, 2}, {3, 4}}));
    const RunRecord record = simulation.run({});
    const Decision first{.epoch = {0, 0}, .source = 1};
    const Decision second{.epoch = {0, 1}, .source = 3};
    EXPECT_TRUE(followed(record, {}));
    EXPECT_TRUE(followed(record, {first, second}));
    EXPECT_FALSE(followed(record, {first, {.epoch = {0, 1}, .source = 4}}));
    EXPECT_FALSE(followed(record, {{.epoch = {0, 2}, .source = 1}}));
    EXPECT_FALSE(followed(record, {{.epoch = {1, 0}, .source = 1}}));
    RunRecord diverged = record;
    diverged.diverged = true;
    EXPECT_FALSE(followed(diverged, {}));
}

TEST(SingleInterleaving, IsRunOnceAndJudged) {
    Simulation simulation(uniform({{1, 2}, {3, 4}}));
    const Interleaving given{.number = 7, .decisions = {{.epoch = {0, 0}, .source = 2}}};
    SingleInterleaving explorer(given);
    const auto handed_out = explorer.next();
    ASSERT_TRUE(handed_out);
    EXPECT_EQ(handed_out->number, 7U);
    EXPECT_EQ(handed_out->decisions, given.decisions);
    explorer.learn(simulation.run({}));
    EXPECT_TRUE(explorer.last_diverged()) << "0#0 took 1";
    EXPECT_EQ(explorer.pending(), 0U);
    EXPECT_FALSE(explorer.next());
}

}  // namespace
}  // namespace dampi::scheduler
