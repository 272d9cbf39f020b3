#include "tests/oracle/exploration.hpp"

#include "scheduler/exploration/match_relations.hpp"
#include "tests/oracle/simulation.hpp"

#include <exception>
#include <optional>

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

Comparison explore_simulated(const Program& program, const std::set<Execution>& model, clocks::Protocol protocol,
                             std::uint64_t timing, std::string* log) {
    Comparison result;
    const auto add = [&](const char* kind, const std::string& what) { result.disagreements.push_back({kind, what}); };
    const Simulation simulation(program);
    scheduler::MatchRelations explorer(has_tests(program) ? most_tests : 0);
    std::set<std::string> matches;
    try {
        while (const auto interleaving = explorer.next()) {
            if (interleaving->number > 4 * model.size() + 10) {
                add("endless", std::to_string(interleaving->number) + " interleavings");
                break;
            }
            const SimulatedRun run =
                simulation.run(interleaving->decisions, protocol, timing + interleaving->number * 0x2545f4914f6cdd1dU);
            ++result.explored;
            explorer.learn(run.record);
            const Execution execution{.matches = outcome_text(run.record), .deadlock = run.deadlock};
            if (log != nullptr) {
                *log += "    " + describe(execution) + ", " + describe(interleaving->decisions) + "\n";
            }
            if (const auto& deviation = explorer.deviation()) {
                add("deviation", deviation->text + ", " + describe(interleaving->decisions));
                continue;
            }
            if (!matches.insert(execution.matches).second) {
                add("duplicate", "run twice: " + describe(execution));
            }
            if (!model.contains(execution)) {
                const bool other_end = model.contains({.matches = execution.matches, .deadlock = !execution.deadlock});
                add(!other_end           ? "unsound"
                    : execution.deadlock ? "false-deadlock"
                                         : "unseen-deadlock",
                    describe(execution));
            }
        }
    } catch (const std::exception& error) {
        add("failure", error.what());
    }
    for (const Execution& execution : model) {
        if (!matches.contains(execution.matches)) {
            result.missed.insert(execution);
        }
    }
    if (protocol == clocks::Protocol::vector && !result.missed.empty()) {
        add("missed", std::to_string(result.missed.size()) + " executions, first " + describe(*result.missed.begin()));
    }
    return result;
}

}  // namespace dampi::oracle
