#include "tests/oracle/exploration.hpp"

#include "scheduler/exploration/match_relations.hpp"
#include "scheduler/exploration/sampling.hpp"
#include "tests/oracle/central_simulation.hpp"
#include "tests/oracle/comparison.hpp"
#include "tests/oracle/simulation.hpp"

#include <cmath>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace dampi::oracle {
namespace {

std::string describe(const Execution& execution) { return execution.matches + (execution.deadlock ? " deadlock" : ""); }

std::string describe(const std::vector<replay::Decision>& decisions) {
    std::string text = "decided {";
    for (const replay::Decision& decision : decisions) {
        text += (text.back() == '{' ? "" : " ") + std::to_string(decision.epoch.rank) + "#" +
                std::to_string(decision.epoch.index) + outcome_text(decision.outcome);
    }
    return text + "}";
}

}  // namespace

Comparison explore_simulated(const Program& program, const std::set<Execution>& counted, clocks::Protocol protocol,
                             std::uint64_t timing, std::string* log, std::optional<replay::Buffering> central,
                             Polls explored_polls, bool merge, std::uint32_t state_without) {
    const bool none = explored_polls == Polls::none;
    const bool undecided_polls = explored_polls == Polls::undecided;
    const std::set<Execution> model = none ? without_false_answers(counted) : counted;
    Comparison result;
    const auto add = [&](const char* kind, const std::string& what) { result.disagreements.push_back({kind, what}); };
    const Simulation simulation(program);
    CentralSimulation machine(program, central.value_or(replay::Buffering::infinite), state_without);
    const std::uint32_t polls = has_tests(program) && explored_polls == Polls::all ? most_tests : 0;
    std::mt19937_64 random(timing);
    const auto order = static_cast<heuristics::Order>(random() % (static_cast<unsigned>(heuristics::last_order) + 1));
    const bool counts_bytes = central && central->counts_bytes();
    const scheduler::MatchRelationsSettings settings{.explore_polls = polls,
                                                     .explore_undecided_polls = undecided_polls,
                                                     .order = order,
                                                     .seed = timing,
                                                     .one_past_of_several = counts_bytes,
                                                     .merge_states = merge};
    // Sometimes random walks are made beside; they change nothing of what is explored.
    const bool can_sample =
        !counts_bytes && polls == 0 && explored_polls == Polls::all && protocol == clocks::Protocol::vector;
    const auto walks = can_sample && !merge ? static_cast<std::uint32_t>(random() % 4) : 0;
    const auto make = [&]() -> std::unique_ptr<scheduler::Explorer> {
        auto made = std::make_unique<scheduler::MatchRelations>(settings);
        if (walks == 0) {
            return made;
        }
        return std::make_unique<scheduler::Sampling>(std::move(made),
                                                     scheduler::SamplingSettings{.walks = walks, .seed = timing});
    };
    auto explorer = make();
    // Up to so many at the same time, as in a parallel sweep; they come back in any order.
    const std::size_t at_once = 1 + random() % 4;
    std::vector<replay::Interleaving> running;
    std::optional<scheduler::ExplorerState> kept;
    std::vector<scheduler::Lesson> lessons;  // since
    std::set<std::string> matches;
    std::uint64_t trials = 0;
    scheduler::central::VisitedStates visited;
    bool deadlock = false;
    bool raced = false;
    try {
        for (;;) {
            while (running.size() < at_once) {
                auto interleaving = explorer->next();
                if (!interleaving) {
                    break;
                }
                running.push_back(std::move(*interleaving));
            }
            if (running.empty()) {
                break;
            }
            const std::size_t which = random() % running.size();
            const replay::Interleaving interleaving = std::move(running[which]);
            running.erase(running.begin() + static_cast<std::ptrdiff_t>(which));
            trials += interleaving.trial ? 1 : 0;
            if (interleaving.number > 4 * model.size() + trials + 10) {
                add("endless", std::to_string(interleaving.number) + " interleavings");
                break;
            }
            if (random() % 16 == 0) {
                explorer->give_back(interleaving.number);  // the run was interrupted
                continue;
            }
            if (random() % 16 == 0) {
                // The sweep is killed, and resumed from what was written down: a state, and the lessons since.
                explorer = make();
                if (kept) {
                    explorer->restore(*kept);
                }
                for (const scheduler::Lesson& lesson : lessons) {
                    explorer->apply(lesson);
                }
                running.clear();
                visited.clear();
                continue;
            }
            for (const replay::Merge& state : interleaving.given_up) {
                visited.give_up(state);
            }
            const std::uint64_t seed = timing + interleaving.number * 0x2545f4914f6cdd1dU;
            SimulatedRun run = central ? machine.run(interleaving.decisions, protocol, seed, interleaving.number,
                                                     merge ? &visited : nullptr)
                                       : simulation.run(interleaving.decisions, protocol, seed);
            visited.keep(interleaving.number);
            if (merge && run.deadlock && !run.record.merged) {  // counted below
                run.record.violations = {{replay::ViolationKind::deadlock, "", {}, {}}};
            }
            result.explored += interleaving.trial ? 0 : 1;
            result.unclear = result.unclear || run.unclear;
            raced = raced || run.raced;
            lessons.push_back(explorer->learn(interleaving.number, run.record, {}).value());
            const scheduler::Lesson& lesson = lessons.back();
            explorer->apply(lesson);
            Execution execution{.matches = outcome_text(run.record), .deadlock = run.deadlock};
            if (none) {
                execution = *without_false_answers({execution}).begin();
            }
            if (log != nullptr) {
                *log += "    " + describe(execution) + ", " + describe(interleaving.decisions) + "\n";
            }
            if (lesson.deviation && raced) {
                continue;  // whether a cancel comes in time cannot always be forced
            }
            if (lesson.deviation) {
                add("deviation", lesson.deviation->text + ", " + describe(interleaving.decisions));
                continue;
            }
            if (run.record.merged) {
                continue;
            }
            deadlock = deadlock || execution.deadlock;
            if (!interleaving.trial && !matches.insert(execution.matches).second && !raced) {
                add("duplicate", "run twice: " + describe(execution));
            }
            if (!model.contains(execution)) {
                const bool other_end = model.contains({.matches = execution.matches, .deadlock = !execution.deadlock});
                add(!other_end           ? "unsound"
                    : execution.deadlock ? "false-deadlock"
                                         : "unseen-deadlock",
                    describe(execution));
            }
            if (random() % 8 == 0) {
                kept = explorer->state();
                lessons.clear();
            }
        }
        if (explorer->pending() != 0 || std::abs(explorer->progress()) > 1.001) {
            add("failure", "at the end " + std::to_string(explorer->pending()) + " alternatives are left");
        }
        result.unclear = result.unclear ||
                         ((counts_bytes || explored_polls != Polls::all) && !explorer->left_out().otherwise.empty());
        const auto estimate = explorer->estimate();
        if (walks != 0 && !raced && (!estimate || estimate->ended != walks || estimate->abandoned != 0)) {
            add("failure", "not all walks came to their end");
        }
        if (merge) {
            const auto outcomes = explorer->outcomes();
            const std::string counted_outcomes = outcomes.empty() ? "none" : outcomes.front().outcomes.value_or("?");
            std::set<std::string> of_model;
            std::set<std::string> deadlocks_of_model;
            for (const Execution& execution : model) {
                of_model.insert(execution.matches);
                if (execution.deadlock) {
                    deadlocks_of_model.insert(execution.matches);
                }
            }
            const std::string deadlocks = outcomes.empty() || outcomes.front().by_cause.empty()
                                              ? "0"
                                              : outcomes.front().by_cause.front().outcomes;
            if (deadlocks != std::to_string(deadlocks_of_model.size())) {
                add("miscounted", deadlocks + " deadlocks, the model has " + std::to_string(deadlocks_of_model.size()));
            }
            if (!outcomes.empty() && !outcomes.front().differences.empty()) {
                add("difference", "what follows a state is not what followed it in another run");
            }
            if (counted_outcomes != std::to_string(of_model.size())) {
                add("miscounted", counted_outcomes + " outcomes, the model has " + std::to_string(of_model.size()));
            }
            if (!deadlock && std::any_of(model.begin(), model.end(), [](const auto& each) { return each.deadlock; })) {
                add("missed", "a deadlock");
            }
            result.merged = outcomes.empty() ? 0 : outcomes.front().merged;
            return result;
        }
    } catch (const std::exception& error) {
        add("failure", error.what());
    }
    for (const Execution& execution : model) {
        if (!matches.contains(execution.matches)) {
            result.missed.insert(execution);
        }
    }
    if (!result.missed.empty() && !result.unclear && must_find_all(program, protocol)) {
        add("missed", std::to_string(result.missed.size()) + " executions, first " + describe(*result.missed.begin()));
    }
    return result;
}

}  // namespace dampi::oracle
