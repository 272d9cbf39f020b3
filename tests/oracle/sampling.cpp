#include "tests/oracle/sampling.hpp"

#include "heuristics/random_walk.hpp"
#include "scheduler/exploration/explorer.hpp"
#include "tests/oracle/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <exception>
#include <map>
#include <utility>
#include <vector>

namespace dampi::oracle {
namespace {

using heuristics::Branching;
using heuristics::RandomWalk;

std::string describe(const std::vector<replay::Decision>& decisions) {
    std::string text = "{";
    for (const replay::Decision& decision : decisions) {
        text += (text.size() > 1 ? " " : "") + std::to_string(decision.epoch.rank) + "#" +
                std::to_string(decision.epoch.index) + outcome_text(decision.outcome);
    }
    return text + "}";
}

class AllWalks {
public:
    AllWalks(const Program& program, std::uint64_t timing, std::uint64_t most_walks, std::string* log)
        : simulation_(program), timing_(timing), most_walks_(most_walks), log_(log) {}

    /// False when there are too many.
    bool go() {
        from(RandomWalk(), 1, "");
        return walks_ <= most_walks_;
    }

    [[nodiscard]] std::uint64_t walks() const { return walks_; }
    [[nodiscard]] double mean() const { return mean_; }
    [[nodiscard]] double mean_of_squares() const { return mean_of_squares_; }
    [[nodiscard]] double runs() const { return runs_; }
    [[nodiscard]] const std::string& deviation() const { return deviation_; }

private:
    /// With the same decisions always the same run.
    const replay::RunRecord& record_of(const std::vector<replay::Decision>& decisions) {
        const std::string key = describe(decisions);
        auto known = records_.find(key);
        if (known == records_.end()) {
            SimulatedRun run =
                simulation_.run(decisions, clocks::Protocol::vector, timing_ + records_.size() * 0x2545f4914f6cdd1dU);
            if (log_ != nullptr) {
                *log_ += "    ran " + key + " and saw " + outcome_text(run.record) + "\n";
            }
            if (const auto deviation = scheduler::first_deviation(run.record, decisions)) {
                deviation_ = deviation->text + ", decided " + key;
            }
            known = records_.emplace(key, std::move(run.record)).first;
        }
        return known->second;
    }

    /// All that can come of a walk that needs a run now.
    void from(const RandomWalk& walk, double probability, const std::string& text) {
        const replay::RunRecord& record = record_of(walk.decisions());
        runs_ += probability;
        if (!deviation_.empty()) {
            return;
        }
        std::vector<std::size_t> script;
        do {
            RandomWalk next = walk;
            double chance = probability;
            std::size_t at = 0;
            std::vector<std::size_t> ways;  // of each branching
            std::string said = text;
            next.go_on(record, [&](const Branching& branching) {
                if (at == script.size()) {
                    script.push_back(0);
                }
                ways.push_back(branching.probabilities.size());
                chance *= branching.probabilities[script[at]];
                said += " " + std::to_string(script[at]) + "/" + std::to_string(ways.back()) +
                        (branching.later ? "+later" : "");
                return script[at++];
            });
            if (const auto& estimate = next.estimate()) {
                ++walks_;
                mean_ += chance * estimate->value();
                mean_of_squares_ += chance * estimate->value() * estimate->value();
                if (log_ != nullptr) {
                    *log_ += "    walk" + said + ": " + std::to_string(estimate->value()) + " with probability " +
                             std::to_string(chance) + "\n";
                }
            } else {
                from(next, chance, said + " |");
            }
            while (!script.empty() && ++script.back() == ways[script.size() - 1]) {
                script.pop_back();
            }
        } while (!script.empty() && walks_ <= most_walks_ && deviation_.empty());
    }

    const Simulation simulation_;
    std::uint64_t timing_;
    std::uint64_t most_walks_;
    std::string* log_;
    std::map<std::string, replay::RunRecord> records_;
    std::uint64_t walks_ = 0;
    double mean_ = 0;
    double mean_of_squares_ = 0;
    double runs_ = 0;
    std::string deviation_;
};

}  // namespace

std::optional<Sampled> sample_simulated(const Program& program, const std::set<Execution>& model, std::uint64_t timing,
                                        std::uint64_t most_walks, std::string* log) {
    Sampled result;
    const auto add = [&](const char* kind, const std::string& what) {
        result.comparison.disagreements.push_back({kind, what});
    };
    try {
        AllWalks walks(program, timing, most_walks, log);
        if (!walks.go()) {
            return std::nullopt;
        }
        const auto outcomes = static_cast<double>(model.size());
        result.comparison.explored = walks.walks();
        result.runs = walks.runs();
        result.spread = std::sqrt(std::max(0.0, walks.mean_of_squares() / (outcomes * outcomes) - 1));
        if (!walks.deviation().empty()) {
            add("deviation", walks.deviation());
        } else if (std::abs(walks.mean() - outcomes) > 1e-9 * outcomes) {
            add("biased",
                "expected " + std::to_string(walks.mean()) + ", and there are " + std::to_string(model.size()));
        }
    } catch (const std::exception& error) {
        add("failure", error.what());
    }
    return result;
}

}  // namespace dampi::oracle
