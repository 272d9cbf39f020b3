// oracle_check: runs random programs under dampi-run and compares what it explores with what the reference
// model says is possible. Each disagreement is shrunk to a minimal program and printed with both views.
//
//     oracle_check --dampi-run PATH --interpreter EXE --seed N --programs K [--seconds S] [--ranks MIN-MAX]
//                  [--messages N] [--ops N] [--tests] [--clock vector|lamport] [--buffering native|zero|infinite|BYTES]
//                  [--engine distributed|central] [--snapshots auto|never|always] [--mpi auto|native|DIR] [--jobs N]
//                  [--hosts HOST,...] [--explore-polls N] [--most-executions N] [--work DIR] [--show-missed]
//                  [--shrink-missed] [--no-shrink] [--verbose]
//     oracle_check --layer PATH --interpreter EXE ...   the same with the centralized engine in this process, without
//                  dampi-run's command line and files, which is many times faster; PATH is libdampi.so
//     oracle_check --dampi-run PATH --interpreter EXE ... --program FILE ... | --folder DIR
//                  the same for given programs
//     oracle_check --simulated [--clock vector|lamport] --seed N --programs K [--timings N] [--threads T]
//                  [--seconds S] [--ranks MIN-MAX] [--messages N] [--ops N] [--most-executions N] [--most-shown N]
//                  [--shrink-missed] [--no-shrink] [--undecided-polls | --no-polls]
//     oracle_check --simulated [--clock ...] [--timings N] --program FILE ... | --folder DIR
//     oracle_check --simulated --central [--buffering zero|infinite|BYTES] [--merge] ...
//                                          compares the tool's clocks and explorer over simulated runs, without MPI
//     oracle_check --simulated --central --without PART,... ...
//                                          leaves these parts out of states (transport/requests/state_parts.hpp), one
//                                          after the other, and fails unless that is noticed
//     oracle_check --simulated --reference | --bounds ...
//                                          compares the tool's explorer, interleaving by interleaving, with what the
//                                          definition of its search says; with --bounds also that of random bounds
//     oracle_check --print N [--features ...]                            only prints the program of a seed
//
// --features classic|all|LIST chooses what the programs may do beside what they have always done
// (tests/oracle/features.hpp); without it they are those of old.
//
// Program i has the seed N + i, so that `--seed (N + i) --programs 1` repeats it. Exit status: 0 they agree,
// 1 they disagree, 2 usage.

#include "replay/buffering.hpp"
#include "tests/harness/report.hpp"
#include "tests/harness/supervised_run.hpp"
#include "tests/oracle/comparison.hpp"
#include "tests/oracle/engine_runs.hpp"
#include "tests/oracle/generator.hpp"
#include "tests/oracle/model.hpp"
#include "tests/oracle/program.hpp"
#include "tests/oracle/reference_check.hpp"
#include "tests/oracle/shrinker.hpp"
#include "tests/oracle/simulated_check.hpp"
#include "transport/requests/state_parts.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace dampi::oracle {
namespace {

struct Settings {
    std::filesystem::path dampi_run;
    std::filesystem::path layer;  ///< then this, and no dampi-run
    std::filesystem::path interpreter;
    std::filesystem::path work = std::filesystem::temp_directory_path() / ("oracle-" + std::to_string(getpid()));
    std::vector<std::filesystem::path> files;  ///< if any: these programs, none of the generator's
    std::uint64_t seed = 1;
    std::uint64_t programs = 40;
    std::size_t most_executions = 24;
    double seconds = 0;  ///< 0: no limit
    bool show_missed = false;
    bool shrink_missed = false;
    bool no_shrink = false;
    clocks::Protocol protocol = clocks::Protocol::vector;
    replay::Buffering buffering = replay::Buffering::native;
    std::string engine = "distributed";
    std::string mpi = "auto";  ///< with a directory the ranks must get the library there
    std::string jobs = "auto";
    std::string snapshots = "auto";
    std::vector<std::string> hosts;  ///< over which the ranks are spread; none: this machine
    bool doubts_are_known = false;   ///< a doubt alone is counted, not a disagreement
    std::uint32_t explore_polls = most_tests;
    bool verbose = false;
    GeneratorOptions generator;
};

/// For dampi-run: as many ranks on each host, or one more on the first ones.
std::string spread(const std::vector<std::string>& hosts, std::size_t ranks) {
    if (hosts.empty()) {
        return "none";
    }
    std::string words;
    for (std::size_t i = 0; i < hosts.size() && i < ranks; ++i) {
        const std::size_t count = ranks / hosts.size() + (i < ranks % hosts.size() ? 1 : 0);
        words += (i == 0 ? "" : ",") + hosts[i] + ":" + std::to_string(count);
    }
    return words;
}

/// What came of one program.
struct Checked {
    std::set<Execution> model;
    Comparison comparison;
    std::string tool;  ///< what dampi-run explored, as text
};

class Checker {
public:
    explicit Checker(const Settings& settings) : settings_(settings) {
        std::filesystem::create_directories(settings.work);
        if (!settings.layer.empty()) {
            engine_.emplace(EngineRunsSettings{.layer = settings.layer,
                                               .interpreter = settings.interpreter,
                                               .work = settings.work,
                                               .protocol = settings.protocol,
                                               .buffering = settings.buffering});
        }
    }

    /// Nothing when the model has too many states or executions.
    std::optional<Checked> check(const Program& program) {
        auto model = enumerate(program, settings_.buffering, true);
        const std::uint32_t polls = has_tests(program) ? settings_.explore_polls : 0;
        const bool counted = polls != 0 || !has_tests(program);
        if (model && !counted) {
            model = without_false_answers(*model);
        }
        if (!model || model->size() > settings_.most_executions) {
            return std::nullopt;
        }
        Checked checked{.model = *model, .comparison = {}, .tool = {}};
        const std::uint64_t most_interleavings = 4 * model->size() + 10;
        if (engine_) {
            try {
                take_in(program, engine_->verify(program, most_interleavings, settings_.seed, settings_.explore_polls),
                        checked);
            } catch (const std::exception& error) {
                checked.comparison.disagreements.push_back({"failure", error.what()});
            }
            return checked;
        }
        const std::filesystem::path file = settings_.work / "program.txt";
        const std::filesystem::path output = settings_.work / "sweep";
        std::filesystem::remove_all(output);
        std::ofstream(file) << to_text(program);
        const harness::CommandResult run =
            harness::run_supervised({.words = {settings_.dampi_run.string(),
                                               "-n",
                                               std::to_string(program.ranks.size()),
                                               "-o",
                                               output.string(),
                                               "--clock",
                                               settings_.protocol == clocks::Protocol::vector ? "vector" : "lamport",
                                               "--engine",
                                               settings_.engine,
                                               "--snapshots",
                                               settings_.snapshots,
                                               "--mpi",
                                               settings_.mpi,
                                               "-j",
                                               settings_.jobs,
                                               "--hosts",
                                               spread(settings_.hosts, program.ranks.size()),
                                               "--buffering",
                                               replay::buffering_name(settings_.buffering),
                                               "--explore-polls",
                                               std::to_string(polls),
                                               "--max-interleavings",
                                               std::to_string(most_interleavings),
                                               settings_.interpreter.string(),
                                               file.string()},
                                     .stdout_file = settings_.work / "stdout",
                                     .stderr_file = settings_.work / "stderr"});
        const auto failure = [&](const std::string& what) {
            checked.comparison.disagreements.push_back({"failure", what});
        };
        if (run.timed_out || run.signal != 0 || (run.status != 0 && run.status != 1 && run.status != 3)) {
            failure("dampi-run ended with " + harness::describe(run) + "\n" +
                    harness::tail_of(settings_.work / "stderr", 5));
            return checked;
        }
        try {
            const harness::Report report = harness::read_report(output / "report.json");
            if (settings_.mpi != "auto" && settings_.mpi != "native" && !report.patched_mpi) {
                failure("the ranks did not get the library of " + settings_.mpi);
                return checked;
            }
            take_in(program, report, checked);
        } catch (const std::exception& error) {
            failure(error.what());
        }
        if (!run.left_behind.empty()) {
            failure("processes outlived dampi-run");
        }
        return checked;
    }

private:
    void take_in(const Program& program, const harness::Report& report, Checked& checked) const {
        const bool counted = settings_.explore_polls != 0 || !has_tests(program);
        checked.comparison = compare(program, checked.model, report, settings_.protocol, counted);
        std::ostringstream tool;
        for (const auto& outcome : report.outcomes.value_or(std::vector<harness::ReportedOutcome>{})) {
            tool << "    " << outcome.outcome;
            for (const std::string& verdict : outcome.verdicts) {
                tool << ' ' << verdict;
            }
            tool << '\n';
        }
        checked.tool = tool.str();
    }

    const Settings& settings_;
    std::optional<EngineRuns> engine_;
};

void print(const Program& program, const Checked& checked) {
    std::cout << to_text(program) << "  the model:\n" << to_text(checked.model) << "  dampi-run:\n" << checked.tool;
    for (const Disagreement& disagreement : checked.comparison.disagreements) {
        std::cout << "  => " << disagreement.kind << ": " << disagreement.what << '\n';
    }
    if (!checked.comparison.missed.empty()) {
        std::cout << "  => not explored:\n" << to_text(checked.comparison.missed);
    }
    std::cout << std::endl;
}

struct Totals {
    std::uint64_t doubtful = 0;  ///< only with doubts_are_known
    std::uint64_t programs = 0, skipped = 0, disagreeing = 0, missing = 0, unclear = 0, deadlocking = 0, certain = 0;
    std::uint64_t executions = 0, explored = 0, missed = 0, excused = 0;
    std::map<std::string, std::uint64_t> kinds;
};

/// Checks, reports and counts one program.
void examine(Checker& checker, const Settings& settings, const Program& program, const std::string& name,
             Totals& totals) {
    const auto checked = checker.check(program);
    if (!checked) {
        ++totals.skipped;
        return;
    }
    const Comparison& comparison = checked->comparison;
    ++totals.programs;
    totals.executions += checked->model.size();
    totals.explored += comparison.explored;
    totals.unclear += comparison.unclear ? 1 : 0;
    totals.certain += must_find_all(program, settings.protocol) ? 1 : 0;
    totals.deadlocking += std::any_of(checked->model.begin(), checked->model.end(),
                                      [](const Execution& execution) { return execution.deadlock; })
                              ? 1
                              : 0;
    (comparison.unclear ? totals.excused : totals.missed) += comparison.missed.size();
    totals.missing += comparison.missed.empty() ? 0 : 1;
    if (settings.verbose) {
        std::cout << name << ": " << checked->model.size() << " executions, " << comparison.explored << " explored, "
                  << comparison.missed.size() << " missed" << std::endl;
    }
    const auto shrunk = [&](const std::function<bool(const Checked&)>& shows) {
        const auto still = [&](const Program& smaller) {
            const auto again = checker.check(smaller);
            return again && shows(*again);
        };
        return settings.no_shrink ? program : shrink(program, still);
    };
    if (settings.doubts_are_known && comparison.kinds() == std::set<std::string>{"doubt"}) {
        ++totals.doubtful;
    } else if (!comparison.disagreements.empty()) {
        ++totals.disagreeing;
        for (const std::string& kind : comparison.kinds()) {
            ++totals.kinds[kind];
        }
        const std::string kind = comparison.disagreements.front().kind;
        std::cout << "---- " << name << ": " << kind << std::endl;
        // As it was seen: it may depend on timing and not come again.
        print(program, *checked);
        if (settings.no_shrink) {
            return;
        }
        const Program small = shrunk([&](const Checked& again) { return again.comparison.kinds().contains(kind); });
        print(small, checker.check(small).value_or(*checked));
    } else if (!comparison.missed.empty() && (settings.show_missed || settings.shrink_missed)) {
        std::cout << "---- " << name << ": executions not explored" << (comparison.unclear ? " (unclear)" : "")
                  << std::endl;
        if (settings.shrink_missed) {
            const Program small = shrunk([&](const Checked& again) {
                return !again.comparison.missed.empty() && again.comparison.unclear == comparison.unclear;
            });
            print(small, checker.check(small).value_or(*checked));
        } else {
            print(program, *checked);
        }
    }
}

void print(const Totals& totals) {
    std::cout << totals.programs << " programs (" << totals.deadlocking << " that can deadlock, " << totals.certain
              << " where nothing may be missed; " << totals.skipped << " too large were skipped), " << totals.executions
              << " executions, " << totals.explored << " interleavings explored\n"
              << totals.doubtful << " programs with doubts only, " << totals.disagreeing << " programs disagree";
    for (const auto& [kind, count] : totals.kinds) {
        std::cout << ", " << kind << ' ' << count;
    }
    std::cout << '\n'
              << totals.missed << " executions missed, in " << totals.missing << " programs ("
              << 100.0 * static_cast<double>(totals.missed) /
                     static_cast<double>(std::max<std::uint64_t>(totals.executions, 1))
              << "%), and " << totals.excused << " in the " << totals.unclear
              << " programs where the tool said that something was unclear" << std::endl;
}

clocks::Protocol parse_clock(const std::string& word) {
    if (word != "vector" && word != "lamport") {
        throw std::runtime_error("--clock needs 'vector' or 'lamport'");
    }
    return word == "vector" ? clocks::Protocol::vector : clocks::Protocol::lamport;
}

/// False if the word is no option of the generator's; `value` gives the next word.
template <typename Value>
bool parse_generator_option(const std::string& word, Value&& value, GeneratorOptions& generator) {
    if (word == "--ranks") {
        const std::string& range = value();
        generator.fewest_ranks = std::stoi(range);
        generator.most_ranks = std::stoi(range.substr(range.find('-') + 1));
    } else if (word == "--messages") {
        generator.most_messages = std::stoi(value());
    } else if (word == "--tests") {
        generator.tests = true;
    } else if (word == "--features") {
        generator.features = parse_features(value());
    } else if (word == "--ops") {
        generator.most_ops = std::stoi(value());
    } else {
        return false;
    }
    return true;
}

/// The programs of a folder, sorted by name.
void add_programs(const std::filesystem::path& folder, std::vector<std::filesystem::path>& files) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".txt") {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
}

/// Throws std::exception when a word cannot be understood.
Settings parse_settings(const std::vector<std::string>& words) {
    Settings settings;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto value = [&]() -> const std::string& { return words.at(++i); };
        if (word == "--dampi-run") {
            settings.dampi_run = value();
        } else if (word == "--layer") {
            settings.layer = value();
        } else if (word == "--interpreter") {
            settings.interpreter = value();
        } else if (word == "--work") {
            settings.work = value();
        } else if (word == "--program") {
            settings.files.emplace_back(value());
        } else if (word == "--folder") {
            add_programs(value(), settings.files);
        } else if (word == "--seed") {
            settings.seed = std::stoull(value());
        } else if (word == "--programs") {
            settings.programs = std::stoull(value());
        } else if (word == "--seconds") {
            settings.seconds = std::stod(value());
        } else if (word == "--most-executions") {
            settings.most_executions = std::stoull(value());
        } else if (parse_generator_option(word, value, settings.generator)) {
        } else if (word == "--show-missed") {
            settings.show_missed = true;
        } else if (word == "--shrink-missed") {
            settings.shrink_missed = true;
        } else if (word == "--clock") {
            settings.protocol = parse_clock(value());
        } else if (word == "--buffering") {
            const auto buffering = replay::buffering_of(value());
            if (!buffering) {
                throw std::runtime_error("--buffering needs 'native', 'zero', 'infinite' or a number of bytes");
            }
            settings.buffering = *buffering;
        } else if (word == "--engine") {
            settings.engine = value();
        } else if (word == "--mpi") {
            settings.mpi = value();
        } else if (word == "--jobs") {
            settings.jobs = value();
        } else if (word == "--explore-polls") {
            settings.explore_polls = static_cast<std::uint32_t>(std::stoul(value()));
        } else if (word == "--hosts") {
            std::istringstream hosts(value());
            for (std::string host; std::getline(hosts, host, ',');) {
                settings.hosts.push_back(host);
            }
        } else if (word == "--snapshots") {
            settings.snapshots = value();
        } else if (word == "--doubts-are-known") {
            settings.doubts_are_known = true;
        } else if (word == "--no-shrink") {
            settings.no_shrink = true;
        } else if (word == "--verbose") {
            settings.verbose = true;
        } else {
            throw std::runtime_error("unknown option " + word);
        }
    }
    if (settings.dampi_run.empty() == settings.layer.empty() || settings.interpreter.empty()) {
        throw std::runtime_error("--interpreter and one of --dampi-run and --layer are needed");
    }
    return settings;
}

SimulatedSettings parse_simulated_settings(const std::vector<std::string>& words) {
    SimulatedSettings settings;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto value = [&]() -> const std::string& { return words.at(++i); };
        if (word == "--clock") {
            settings.protocol = parse_clock(value());
        } else if (word == "--undecided-polls") {
            settings.polls = Polls::undecided;
        } else if (word == "--merge") {
            settings.merge = true;
        } else if (word == "--without") {
            std::istringstream names(value());
            for (std::string name; std::getline(names, name, ',');) {
                if (!transport::requests::state_part_of(name)) {
                    throw std::runtime_error("a state has no part " + name);
                }
                settings.without.push_back(name);
            }
        } else if (word == "--no-polls") {
            settings.polls = Polls::none;
        } else if (word == "--program") {
            settings.files.emplace_back(value());
        } else if (word == "--folder") {
            add_programs(value(), settings.files);
        } else if (word == "--seed") {
            settings.seed = std::stoull(value());
        } else if (word == "--programs") {
            settings.programs = std::stoull(value());
        } else if (word == "--timings") {
            settings.timings = std::stoull(value());
        } else if (word == "--threads") {
            settings.threads = static_cast<unsigned>(std::stoul(value()));
        } else if (word == "--seconds") {
            settings.seconds = std::stod(value());
        } else if (word == "--most-executions") {
            settings.most_executions = std::stoull(value());
        } else if (word == "--most-shown") {
            settings.most_shown = std::stoull(value());
        } else if (parse_generator_option(word, value, settings.generator)) {
        } else if (word == "--shrink-missed") {
            settings.shrink_missed = true;
        } else if (word == "--sampling") {
            settings.sampling = true;
        } else if (word == "--central") {
            settings.central = settings.central.value_or(replay::Buffering::infinite);
        } else if (word == "--buffering") {
            settings.central = replay::buffering_of(value());
            if (!settings.central || settings.central == replay::Buffering::native) {
                throw std::runtime_error("--simulated --central needs --buffering zero, infinite or a number of bytes");
            }
        } else if (word == "--most-walks") {
            settings.most_walks = std::stoull(value());
        } else if (word == "--no-shrink") {
            settings.shrink = false;
        } else if (word == "--reference") {
            settings.reference = true;
        } else if (word == "--bounds") {
            settings.reference = settings.bounds = settings.generator.bounds = true;
        } else {
            throw std::runtime_error("unknown option " + word);
        }
    }
    if (settings.reference && !settings.generator.features.empty()) {
        throw std::runtime_error("--reference and --bounds do not go with --features");
    }
    if (settings.reference && (settings.protocol != clocks::Protocol::vector || settings.generator.tests)) {
        throw std::runtime_error("--reference and --bounds go neither with --clock lamport nor with --tests");
    }
    return settings;
}

/// Whether it is noticed that a state lacks a part, for each of them.
int notice_what_is_left_out(const SimulatedSettings& settings) {
    int status = 0;
    for (const std::string& name : settings.without) {
        std::cout << "==== states without " << name << '\n';
        SimulatedSettings lacking = settings;
        lacking.merge = true;
        lacking.state_without = *transport::requests::state_part_of(name);
        lacking.most_shown = 1;
        lacking.shrink = false;
        if (check_simulated(lacking) == 0) {
            std::cout << "FAILED: nothing is noticed\n";
            status = 1;
        }
    }
    return status;
}

std::string read_text(const std::filesystem::path& file) {
    std::ifstream input(file);
    if (!input) {
        throw std::runtime_error("cannot read " + file.string());
    }
    return {std::istreambuf_iterator<char>(input), {}};
}

int main_with(const std::vector<std::string>& words) {
    if (words.size() >= 2 && words[0] == "--print") {
        GeneratorOptions generator;
        for (std::size_t i = 2; i < words.size(); ++i) {
            const std::string& word = words[i];
            if (!parse_generator_option(
                    word, [&]() -> const std::string& { return words.at(++i); }, generator)) {
                throw std::runtime_error("unknown option " + word);
            }
        }
        const Program program = generate_program(std::stoull(words[1]), generator);
        std::cout << to_text(program);
        if (const auto model = enumerate(program, replay::Buffering::native)) {
            std::cout << "  the model:\n" << to_text(*model);
        }
        return 0;
    }
    if (!words.empty() && words[0] == "--simulated") {
        const SimulatedSettings settings = parse_simulated_settings({words.begin() + 1, words.end()});
        if (!settings.without.empty()) {
            return notice_what_is_left_out(settings);
        }
        return settings.reference ? check_against_reference(settings) : check_simulated(settings);
    }
    const Settings settings = parse_settings(words);
    Checker checker(settings);
    Totals totals;
    if (!settings.files.empty()) {
        for (const auto& file : settings.files) {
            examine(checker, settings, parse_program(read_text(file)), file.string(), totals);
        }
    } else {
        const auto begin = std::chrono::steady_clock::now();
        for (std::uint64_t i = 0; i < settings.programs; ++i) {
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
            if (settings.seconds > 0 && elapsed.count() > settings.seconds) {
                break;
            }
            const std::uint64_t seed = settings.seed + i;
            examine(checker, settings, generate_program(seed, settings.generator), "seed " + std::to_string(seed),
                    totals);
        }
    }
    print(totals);
    std::filesystem::remove_all(settings.work);
    return totals.disagreeing == 0 ? 0 : 1;
}

}  // namespace
}  // namespace dampi::oracle

int main(int argc, char** argv) {
    try {
        return dampi::oracle::main_with({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::cerr << "oracle_check: " << error.what() << '\n';
        return 2;
    }
}
