#include "tests/oracle/reference_check.hpp"

#include "scheduler/exploration/match_relations.hpp"
#include "tests/oracle/generator.hpp"
#include "tests/oracle/model.hpp"
#include "tests/oracle/reference_explorer.hpp"
#include "tests/oracle/shrinker.hpp"
#include "tests/oracle/simulation.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

namespace dampi::oracle {
namespace {

using heuristics::NamePattern;

NamePattern pattern_for(const NamedPart& part) {
    switch (part.kind) {
        case NamedPart::Kind::communicator:
            return {.kind = NamePattern::Kind::communicator, .name = simulated_communicator_name(part.which)};
        case NamedPart::Kind::place:
            return {.kind = NamePattern::Kind::function, .name = simulated_function_name(part.which)};
        case NamedPart::Kind::rank:
            break;
    }
    return {.kind = NamePattern::Kind::function, .name = simulated_main_name(part.which)};
}

/// The reference's bounds as the tool takes them.
heuristics::SearchBoundSettings settings_for(const ReferenceBounds& bounds) {
    heuristics::SearchBoundSettings settings;
    settings.mixing_bound = bounds.mixing;
    settings.mixing_unit = bounds.zones ? heuristics::MixingUnit::zones : heuristics::MixingUnit::epochs;
    settings.brackets = bounds.brackets;
    settings.loop_bound = bounds.loop;
    std::transform(bounds.explore.begin(), bounds.explore.end(), std::back_inserter(settings.explore), pattern_for);
    std::transform(bounds.skip.begin(), bounds.skip.end(), std::back_inserter(settings.skip), pattern_for);
    return settings;
}

std::string to_text(const ReferenceBounds& bounds) {
    std::string text = "mixing " + (bounds.mixing ? std::to_string(*bounds.mixing) : "unbounded");
    text += bounds.zones ? " zones" : "";
    text += bounds.brackets ? "" : ", brackets ignored";
    text += bounds.loop ? ", loops " + std::to_string(*bounds.loop) : "";
    for (const NamedPart& part : bounds.explore) {
        text += ", explore " + format(pattern_for(part));
    }
    for (const NamedPart& part : bounds.skip) {
        text += ", skip " + format(pattern_for(part));
    }
    return text;
}

ReferenceBounds random_bounds(std::mt19937_64& random, const Program& program) {
    const auto below = [&](std::uint64_t end) { return random() % end; };
    const auto chance = [&](std::uint64_t percent) { return below(100) < percent; };
    const auto part = [&]() -> NamedPart {
        switch (below(3)) {
            case 0:
                return {.kind = NamedPart::Kind::communicator, .which = static_cast<int>(below(2))};
            case 1:
                return {.kind = NamedPart::Kind::place, .which = static_cast<int>(below(3))};
            default:
                return {.kind = NamedPart::Kind::rank, .which = static_cast<int>(below(program.ranks.size()))};
        }
    };
    ReferenceBounds bounds;
    if (chance(60)) {
        bounds.mixing = static_cast<std::uint32_t>(below(4));
    }
    bounds.zones = chance(30);
    bounds.brackets = chance(80);
    if (chance(40)) {
        bounds.loop = static_cast<std::uint32_t>(1 + below(2));
    }
    for (std::uint64_t count = chance(20) ? 1 + below(2) : 0; count > 0; --count) {
        bounds.explore.push_back(part());
    }
    for (std::uint64_t count = chance(25) ? 1 + below(2) : 0; count > 0; --count) {
        bounds.skip.push_back(part());
    }
    return bounds;
}

/// What a sweep of the tool's explorer runs: several interleavings at the same time, which come back in any order, some
/// of them given back, and the explorer now and then made anew from what was written down.
struct Swept {
    std::set<Interleaved> interleavings;
    std::vector<std::string> faults;
};

Swept sweep(const Program& program, const ReferenceBounds& bounds, std::uint64_t timing, std::size_t most) {
    Swept result;
    const Simulation simulation(program);
    std::mt19937_64 random(timing);
    scheduler::MatchRelationsSettings settings;
    settings.bounds = settings_for(bounds);
    // What belongs to the set does not depend on the order.
    settings.order = static_cast<heuristics::Order>(random() % (static_cast<unsigned>(heuristics::last_order) + 1));
    settings.seed = random();
    auto explorer = std::make_unique<scheduler::MatchRelations>(settings);
    const std::size_t at_once = 1 + random() % 4;
    std::vector<replay::Interleaving> running;
    std::optional<scheduler::ExplorerState> kept;
    std::vector<scheduler::Lesson> lessons;  // since
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
        if (result.interleavings.size() > most) {
            result.faults.emplace_back("there is no end of interleavings");
            break;
        }
        if (random() % 16 == 0) {
            explorer->give_back(interleaving.number);
            continue;
        }
        if (random() % 16 == 0) {
            explorer = std::make_unique<scheduler::MatchRelations>(settings);
            if (kept) {
                explorer->restore(*kept);
            }
            for (const scheduler::Lesson& lesson : lessons) {
                explorer->apply(lesson);
            }
            running.clear();
            continue;
        }
        const SimulatedRun run = simulation.run(interleaving.decisions, clocks::Protocol::vector,
                                                free_run_seed(interleaving.decisions, timing));
        lessons.push_back(explorer->learn(interleaving.number, run.record, {}).value());
        explorer->apply(lessons.back());
        const std::string decisions = decisions_text(interleaving.decisions);
        if (!result.interleavings.insert({decisions, {.matches = outcome_text(run.record), .deadlock = run.deadlock}})
                 .second) {
            result.faults.push_back("run twice: " + decisions);
        }
        if (random() % 8 == 0) {
            kept = explorer->state();
            lessons.clear();
        }
    }
    return result;
}

std::string to_text(const Interleaved& interleaved) {
    return interleaved.first + " " + interleaved.second.matches + (interleaved.second.deadlock ? " deadlock" : "");
}

/// What is wrong, one line each; `what` says of which bounds.
using Complaints = std::vector<std::string>;

void compare_sets(const std::set<Interleaved>& wanted, const std::set<Interleaved>& found, const std::string& missing,
                  const std::string& too_much, Complaints& complaints) {
    for (const Interleaved& each : wanted) {
        if (!found.contains(each)) {
            complaints.push_back(missing + to_text(each));
        }
    }
    for (const Interleaved& each : found) {
        if (!too_much.empty() && !wanted.contains(each)) {
            complaints.push_back(too_much + to_text(each));
        }
    }
}

class ReferenceCheck {
public:
    explicit ReferenceCheck(const SimulatedSettings& settings) : settings_(settings) {}

    int run() {
        const auto begin = std::chrono::steady_clock::now();
        const auto elapsed = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        };
        for (const auto& file : settings_.files) {
            std::ifstream input(file);
            if (!input) {
                throw std::runtime_error("cannot read " + file.string());
            }
            const std::string text{std::istreambuf_iterator<char>(input), {}};
            examine(parse_program(text), file.string(), settings_.seed);
        }
        for (std::uint64_t i = 0; settings_.files.empty() && i < settings_.programs; ++i) {
            if (shown_ >= settings_.most_shown || (settings_.seconds > 0 && elapsed() > settings_.seconds)) {
                break;
            }
            const std::uint64_t seed = settings_.seed + i;
            examine(generate_program(seed, settings_.generator), "seed " + std::to_string(seed), seed);
        }
        std::cout << programs_ << " programs (" << skipped_ << " too large were skipped), " << searches_
                  << " searches, of which " << smaller_ << " with bounds that leave something out, " << interleavings_
                  << " interleavings\n"
                  << shown_ << " programs disagree; " << elapsed() << " s" << std::endl;
        return shown_ == 0 ? 0 : 1;
    }

private:
    /// Without bounds: all that the model says, each once. Then with random bounds.
    void examine(const Program& program, const std::string& name, std::uint64_t seed) {
        if (has_tests(program)) {
            ++skipped_;
            return;
        }
        const auto model = enumerate(program);
        if (!model || model->size() > settings_.most_executions) {
            ++skipped_;
            return;
        }
        ++programs_;
        for (std::uint64_t i = 0; i < settings_.timings; ++i) {
            const std::uint64_t timing = (seed + 1) * 0x9e3779b97f4a7c15U + i * 0xd1b54a32d192ed03U;
            std::mt19937_64 random(timing);
            const auto bounds = settings_.bounds ? std::optional(random_bounds(random, program)) : std::nullopt;
            if (!examine(program, bounds, timing, true).empty()) {
                show(program, name, bounds, timing);
                return;
            }
        }
    }

    Complaints examine(const Program& program, const std::optional<ReferenceBounds>& bounds, std::uint64_t timing,
                       bool counted) {
        Complaints complaints;
        const auto model = enumerate(program);
        if (!model || has_tests(program)) {
            return complaints;
        }
        const std::size_t most = 4 * model->size() + 10;
        const auto search = [&](const ReferenceBounds& each) {
            const ReferenceSet wanted = explore_by_definition(program, each, timing, most);
            const Swept swept = sweep(program, each, timing, most);
            const std::string with = " (" + to_text(each) + ")";
            for (const std::string& fault : wanted.faults) {
                complaints.push_back("the definition" + with + ": " + fault);
            }
            for (const std::string& fault : swept.faults) {
                complaints.push_back("the explorer" + with + ": " + fault);
            }
            compare_sets(wanted.interleavings, swept.interleavings, "not run" + with + ": ",
                         "run without belonging to the set" + with + ": ", complaints);
            if (counted) {
                ++searches_;
                smaller_ += wanted.interleavings.size() < model->size() ? 1 : 0;
                interleavings_ += swept.interleavings.size();
            }
            return wanted.interleavings;
        };
        const std::set<Interleaved> everything = search({.brackets = false});
        std::set<Execution> outcomes;
        for (const Interleaved& each : everything) {
            if (!outcomes.insert(each.second).second) {
                complaints.push_back("the definition names an outcome twice: " + to_text(each));
            }
        }
        if (outcomes != *model) {
            complaints.emplace_back("the definition does not name the model's outcomes");
        }
        if (bounds) {
            const std::set<Interleaved> smaller = search(*bounds);
            ReferenceBounds wider = *bounds;
            if (bounds->mixing) {
                wider.mixing = *bounds->mixing < 3 ? std::optional(*bounds->mixing + 1) : std::nullopt;
            } else if (bounds->loop) {
                wider.loop = std::nullopt;
            } else {
                return complaints;
            }
            compare_sets(smaller, search(wider), "not in the larger set of " + to_text(wider) + ": ", "", complaints);
        }
        return complaints;
    }

    void show(const Program& program, const std::string& name, const std::optional<ReferenceBounds>& bounds,
              std::uint64_t timing) {
        ++shown_;
        const auto still = [&](const Program& smaller) { return !examine(smaller, bounds, timing, false).empty(); };
        const Program small = settings_.shrink ? shrink(program, still, 2000) : program;
        std::cout << "---- " << name << (bounds ? ", " + to_text(*bounds) : "") << '\n' << to_text(small);
        for (const std::string& complaint : examine(small, bounds, timing, false)) {
            std::cout << "  => " << complaint << '\n';
        }
        std::cout << std::endl;
    }

    const SimulatedSettings& settings_;
    std::uint64_t programs_ = 0, skipped_ = 0, searches_ = 0, smaller_ = 0, interleavings_ = 0;
    std::size_t shown_ = 0;  ///< programs that disagree
};

}  // namespace

int check_against_reference(const SimulatedSettings& settings) { return ReferenceCheck(settings).run(); }

}  // namespace dampi::oracle
