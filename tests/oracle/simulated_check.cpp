#include "tests/oracle/simulated_check.hpp"

#include "tests/oracle/exploration.hpp"
#include "tests/oracle/model.hpp"
#include "tests/oracle/program.hpp"
#include "tests/oracle/sampling.hpp"
#include "tests/oracle/shrinker.hpp"
#include "tests/oracle/simulation.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

namespace dampi::oracle {
namespace {

/// So many timings are tried with each smaller program before it is said not to show a failure any more.
constexpr std::uint64_t timings_when_shrinking = 60;

struct Totals {
    std::uint64_t programs = 0, skipped = 0, disagreeing = 0, missing = 0, deadlocking = 0, unclear = 0, certain = 0;
    std::uint64_t executions = 0, explored = 0, missed = 0, merged = 0;
    // With sampling: programs of which all walks were made, and sums over them.
    std::uint64_t sampled = 0;
    double runs = 0, spread = 0;
    std::map<std::string, std::uint64_t> kinds;

    void add(const Totals& other) {
        programs += other.programs;
        skipped += other.skipped;
        disagreeing += other.disagreeing;
        missing += other.missing;
        deadlocking += other.deadlocking;
        unclear += other.unclear;
        certain += other.certain;
        executions += other.executions;
        explored += other.explored;
        missed += other.missed;
        merged += other.merged;
        sampled += other.sampled;
        runs += other.runs;
        spread += other.spread;
        for (const auto& [kind, count] : other.kinds) {
            kinds[kind] += count;
        }
    }
};

std::uint64_t timing_seed(std::uint64_t seed, std::uint64_t which) {
    return (seed + 1) * 0x9e3779b97f4a7c15U + which * 0xd1b54a32d192ed03U;
}

/// Runs end in states of others only where nothing is judged by more than the state.
bool may_merge(const Program& program) {
    const auto counts = [](const std::vector<Op>& ops, const auto& self) -> bool {
        return std::any_of(ops.begin(), ops.end(), [&](const Op& op) {
            return is_polling(op.kind) || is_matched_probe(op.kind) || op.kind == OpKind::cancel ||
                   op.kind == OpKind::free || op.kind == OpKind::rsend || op.kind == OpKind::bsend ||
                   op.kind == OpKind::getstatus || self(op.then, self) || self(op.otherwise, self);
        });
    };
    return std::none_of(program.ranks.begin(), program.ranks.end(),
                        [&](const std::vector<Op>& ops) { return counts(ops, counts); });
}

class SimulatedCheck {
public:
    explicit SimulatedCheck(const SimulatedSettings& settings) : settings_(settings) {}

    int run() {
        begin_ = std::chrono::steady_clock::now();
        if (settings_.files.empty()) {
            std::vector<std::thread> threads;
            for (unsigned i = 1; i < settings_.threads; ++i) {
                threads.emplace_back([this] { work(); });
            }
            work();
            for (std::thread& thread : threads) {
                thread.join();
            }
        } else {
            for (const auto& file : settings_.files) {
                std::ifstream input(file);
                if (!input) {
                    throw std::runtime_error("cannot read " + file.string());
                }
                const std::string text{std::istreambuf_iterator<char>(input), {}};
                examine(parse_program(text), file.string(), settings_.seed, totals_);
            }
        }
        print_totals();
        return totals_.disagreeing == 0 ? 0 : 1;
    }

private:
    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }

    /// What the program means.
    [[nodiscard]] std::optional<std::set<Execution>> modelled(const Program& program) const {
        return enumerate(program, settings_.central.value_or(replay::Buffering::infinite));
    }

    void work() {
        constexpr std::uint64_t batch = 256;
        Totals totals;
        while (!enough_) {
            const std::uint64_t first = next_.fetch_add(batch);
            for (std::uint64_t i = first; i < std::min(first + batch, settings_.programs) && !enough_; ++i) {
                const std::uint64_t seed = settings_.seed + i;
                examine(generate_program(seed, settings_.generator), "seed " + std::to_string(seed), seed, totals);
            }
            if (first + batch >= settings_.programs || (settings_.seconds > 0 && elapsed() > settings_.seconds)) {
                break;
            }
        }
        const std::lock_guard lock(mutex_);
        totals_.add(totals);
    }

    /// Explores a program with one timing after the other, until there is something that `shows` accepts.
    template <typename Shows>
    std::optional<Comparison> find(const Program& program, const std::set<Execution>& model, std::uint64_t seed,
                                   std::uint64_t timings, Shows&& shows, std::string* log = nullptr,
                                   Totals* totals = nullptr) const {
        for (std::uint64_t i = 0; i < timings; ++i) {
            if (log != nullptr) {
                log->clear();
            }
            Comparison comparison = look(program, model, timing_seed(seed, i), log, totals);
            if (shows(comparison)) {
                return comparison;
            }
        }
        return std::nullopt;
    }

    Comparison look(const Program& program, const std::set<Execution>& model, std::uint64_t timing, std::string* log,
                    Totals* totals = nullptr) const {
        if (!settings_.sampling) {
            return explore_simulated(program, model, settings_.protocol, timing, log, settings_.central,
                                     settings_.polls, settings_.merge && may_merge(program), settings_.state_without);
        }
        const auto sampled = sample_simulated(program, model, timing, settings_.most_walks, log);
        if (!sampled) {
            return {};
        }
        if (totals != nullptr) {
            ++totals->sampled;
            totals->runs += sampled->runs;
            totals->spread += sampled->spread;
        }
        return sampled->comparison;
    }

    void examine(const Program& program, const std::string& name, std::uint64_t seed, Totals& totals) {
        // Walks do not count false answers.
        const bool unfit =
            (settings_.sampling && has_tests(program)) || (!settings_.central && !Simulation::knows(program));
        const auto model = unfit ? std::nullopt : modelled(program);
        if (!model || model->size() > settings_.most_executions) {
            ++totals.skipped;
            return;
        }
        ++totals.programs;
        totals.executions += model->size();
        totals.deadlocking +=
            std::any_of(model->begin(), model->end(), [](const Execution& each) { return each.deadlock; }) ? 1 : 0;
        totals.certain += must_find_all(program, settings_.protocol) ? 1 : 0;
        std::size_t explored = 0;
        std::set<Execution> missed;
        std::uint64_t done = 0;
        bool unclear = false;
        const auto failed = find(
            program, *model, seed, settings_.timings,
            [&](const Comparison& comparison) {
                explored += comparison.explored;
                totals.merged += comparison.merged;
                missed = done++ == 0 ? comparison.missed : missed;
                unclear = unclear || comparison.unclear;
                return !comparison.disagreements.empty();
            },
            nullptr, &totals);
        totals.explored += explored;
        totals.missed += missed.size();
        totals.missing += missed.empty() ? 0 : 1;
        totals.unclear += unclear ? 1 : 0;
        if (failed) {
            ++totals.disagreeing;
            for (const std::string& kind : failed->kinds()) {
                ++totals.kinds[kind];
            }
            const std::string kind = failed->disagreements.front().kind;
            show(program, name, kind, seed, [&](const Comparison& again) { return again.kinds().contains(kind); });
        } else if (!missed.empty() && settings_.shrink_missed) {
            show(program, name, "missed", seed, [](const Comparison& again) { return !again.missed.empty(); });
        }
    }

    template <typename Shows>
    void show(const Program& program, const std::string& name, const std::string& kind, std::uint64_t seed,
              Shows&& shows) {
        const std::uint64_t timings = std::max(timings_when_shrinking, settings_.timings);
        const auto still = [&](const Program& smaller) {
            const auto model = modelled(smaller);
            return model && find(smaller, *model, seed, timings, shows);
        };
        const std::lock_guard lock(mutex_);
        if (enough_) {
            return;
        }
        const Program small = settings_.shrink ? shrink(program, still, 2000) : program;
        const auto model = modelled(small).value();
        std::string log;
        const auto again = find(small, model, seed, timings, shows, &log);
        std::cout << "---- " << name << ": " << kind << '\n'
                  << to_text(small) << "  the model:\n"
                  << to_text(model) << "  explored:\n"
                  << log;
        for (const Disagreement& disagreement : again.value_or(Comparison{}).disagreements) {
            std::cout << "  => " << disagreement.kind << ": " << disagreement.what << '\n';
        }
        if (again && !again->missed.empty()) {
            std::cout << "  => not explored:\n" << to_text(again->missed);
        }
        std::cout << std::endl;
        enough_ = ++shown_ >= settings_.most_shown;
    }

    void print_totals() const {
        const double seconds = elapsed();
        std::cout << totals_.programs << " programs (" << totals_.deadlocking << " that can deadlock; "
                  << totals_.skipped << " too large or unfit were skipped), " << totals_.executions << " executions, "
                  << totals_.explored << (settings_.sampling ? " walks, " : " simulated runs, ");
        if (settings_.merge) {
            std::cout << totals_.merged << " of them ended in states of others, ";
        }
        std::cout << (settings_.protocol == clocks::Protocol::vector ? "vector" : "Lamport") << " clocks, "
                  << static_cast<std::uint64_t>(static_cast<double>(totals_.programs) / seconds)
                  << " programs per second\n"
                  << totals_.disagreeing << " programs disagree";
        for (const auto& [kind, count] : totals_.kinds) {
            std::cout << ", " << kind << ' ' << count;
        }
        std::cout << '\n';
        if (settings_.sampling) {
            const double count = static_cast<double>(std::max<std::uint64_t>(totals_.sampled, 1));
            std::cout << "all walks of " << totals_.sampled << " programs: " << totals_.explored
                      << ", on the average of the programs a walk makes " << totals_.runs / count
                      << " runs, and its estimate is off by " << 100 * totals_.spread / count << "%" << std::endl;
            return;
        }
        std::cout << totals_.missed << " executions missed, in " << totals_.missing << " programs ("
                  << 100.0 * static_cast<double>(totals_.missed) /
                         static_cast<double>(std::max<std::uint64_t>(totals_.executions, 1))
                  << "% of all, "
                  << 100.0 * static_cast<double>(totals_.missing) /
                         static_cast<double>(std::max<std::uint64_t>(totals_.programs, 1))
                  << "% of the programs); in " << totals_.certain << " programs nothing may be missed";
        if (totals_.unclear != 0) {
            std::cout << "; " << totals_.unclear << " programs are said to be unclear";
        }
        std::cout << std::endl;
    }

    const SimulatedSettings& settings_;
    std::chrono::steady_clock::time_point begin_{};
    std::atomic<std::uint64_t> next_ = 0;
    std::atomic<bool> enough_ = false;
    std::mutex mutex_;
    Totals totals_;
    std::size_t shown_ = 0;
};

}  // namespace

int check_simulated(const SimulatedSettings& settings) { return SimulatedCheck(settings).run(); }

}  // namespace dampi::oracle
