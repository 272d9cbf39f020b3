// resume_check: a sweep that is killed at any moment, as often as one likes, and resumed, ends with the same result as
// one that nobody disturbs. Verifies a program undisturbed; then again and again with SIGKILL for dampi-run at a random
// moment (uniform over the time that the undisturbed sweep took), then `dampi-run --resume`, killed with probability
// 1/2, and so on until it ends by itself. Compares exit status, verdict, outcomes (the same, none twice), findings
// (kinds, places, counts), and whether the result is complete; and looks for processes that are left behind.
//
//     resume_check --dampi-run FILE --program FILE --processes N [--argument WORD ...] [--option WORD ...]
//                  [--jobs J] [--kills N] [--seed S] [--work DIR]
//
// The program gets an environment variable RUNS_FILE, the name of a file to which one byte may be appended per run:
// then it is also checked that no interleaving was run again but those that a kill interrupted. Exit status: 0 nothing
// found, 1 something was (each is printed, the sweep is kept), 2 usage.

#include "tests/harness/report.hpp"
#include "tests/harness/supervised_run.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <unistd.h>

namespace dampi::harness {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

struct Settings {
    fs::path dampi_run;
    fs::path program;
    std::vector<std::string> arguments;
    std::vector<std::string> options;
    int processes = 4;
    int jobs = 1;
    std::uint64_t kills = 10;
    std::uint64_t for_reports = 0;  ///< so many runs at most may be made again when a sweep has come to its end
    std::uint64_t seed = std::random_device()();
    fs::path work = fs::temp_directory_path() / ("resume-" + std::to_string(getpid()));
};

/// What must be the same, whatever happens in between.
struct Essence {
    int status = 0;
    std::string verdict;
    bool complete = false;
    std::uint64_t explored = 0;
    std::uint64_t pending = 0;
    std::map<std::string, int> outcomes;  ///< with the mode of buffering -> how often
    std::set<std::string> findings;       ///< violations and doubts: kind, place, count
    std::set<std::string> left_out;
};

Essence essence_of(int status, const Report& report) {
    Essence essence{.status = status,
                    .verdict = report.verdict,
                    .complete = report.complete,
                    .explored = report.explored,
                    .pending = report.pending,
                    .outcomes = {},
                    .findings = {},
                    .left_out = {report.left_out.begin(), report.left_out.end()}};
    if (!report.outcomes) {
        throw std::runtime_error("the report leaves the outcomes out: choose a smaller program");
    }
    for (const ReportedOutcome& each : *report.outcomes) {
        ++essence.outcomes[fmt::format("{} {} {}", each.buffering, each.outcome, fmt::join(each.verdicts, ","))];
    }
    for (const auto* findings : {&report.violations, &report.doubts}) {
        for (const Finding& each : *findings) {
            const std::string place = each.where ? fmt::format("{}:{}", each.where->file, each.where->line) : "nowhere";
            essence.findings.insert(fmt::format("{} at {} seen {} times", each.kind, place, each.count));
        }
    }
    return essence;
}

/// What of `these` is not in `those`.
std::vector<std::string> missing(const std::set<std::string>& these, const std::set<std::string>& those) {
    std::vector<std::string> result;
    std::set_difference(these.begin(), these.end(), those.begin(), those.end(), std::back_inserter(result));
    return result;
}

std::vector<std::string> compare(const Essence& undisturbed, const Essence& resumed) {
    std::vector<std::string> wrong;
    const auto value = [&wrong](const char* what, const auto& expected, const auto& actual) {
        if (expected != actual) {
            wrong.push_back(fmt::format("{}: {} instead of {}", what, actual, expected));
        }
    };
    const auto values = [&wrong](const char* what, const std::set<std::string>& expected,
                                 const std::set<std::string>& actual) {
        for (const std::string& each : missing(expected, actual)) {
            wrong.push_back(fmt::format("missing {}: {}", what, each));
        }
        for (const std::string& each : missing(actual, expected)) {
            wrong.push_back(fmt::format("new {}: {}", what, each));
        }
    };
    const auto names = [](const std::map<std::string, int>& counts) {
        std::set<std::string> result;
        for (const auto& [name, count] : counts) {
            result.insert(name);
        }
        return result;
    };
    value("exit status", undisturbed.status, resumed.status);
    value("verdict", undisturbed.verdict, resumed.verdict);
    value("complete", undisturbed.complete, resumed.complete);
    value("explored", undisturbed.explored, resumed.explored);
    value("pending", undisturbed.pending, resumed.pending);
    values("outcome", names(undisturbed.outcomes), names(resumed.outcomes));
    for (const auto& [outcome, count] : resumed.outcomes) {
        if (count != 1) {
            wrong.push_back(fmt::format("outcome {} times: {}", count, outcome));
        }
    }
    values("finding", undisturbed.findings, resumed.findings);
    values("reason", undisturbed.left_out, resumed.left_out);
    return wrong;
}

class Check {
public:
    explicit Check(Settings settings) : settings_(std::move(settings)), random_(settings_.seed) {}

    int run() {
        std::cout << fmt::format("seed {}\n", settings_.seed) << std::flush;
        const fs::path folder = prepared("undisturbed");
        const auto begin = Clock::now();
        const CommandResult result = dampi_run(folder, false, std::nullopt);
        duration_ = std::max(1ms, std::chrono::duration_cast<milliseconds>(Clock::now() - begin));
        std::vector<std::string> wrong = leftovers(result);
        if (result.status < 0 || result.status == 2 || result.status > 3) {
            wrong.push_back(describe(result));
        }
        if (!wrong.empty()) {
            return failed(folder, wrong);
        }
        undisturbed_ = essence_of(result.status, read_report(folder / "sweep/report.json"));
        wrong = compare(undisturbed_, undisturbed_);  // an outcome twice
        if (!wrong.empty()) {
            return failed(folder, wrong);
        }
        std::cout << fmt::format("undisturbed: {} interleavings, {} findings, {} ms\n", undisturbed_.explored,
                                 undisturbed_.findings.size(), duration_.count())
                  << std::flush;

        std::uint64_t sweeps = 0;
        std::uint64_t in_vain = 0;  // sweeps in a row that were over before their kill
        while (kills_ < settings_.kills) {
            const std::uint64_t before = kills_;
            const fs::path round = prepared(std::to_string(++sweeps));
            wrong = disturbed(round);
            if (!wrong.empty()) {
                return failed(round, wrong);
            }
            fs::remove_all(round);
            in_vain = kills_ == before ? in_vain + 1 : 0;
            if (in_vain == 100) {
                throw std::runtime_error("the sweeps are over too soon to be killed");
            }
        }
        std::cout << fmt::format("{} kills in {} sweeps: all ended as if undisturbed\n", kills_, sweeps);
        fs::remove_all(settings_.work);
        return 0;
    }

private:
    fs::path prepared(const std::string& name) const {
        const fs::path folder = settings_.work / name;
        fs::remove_all(folder);
        fs::create_directories(folder);
        return folder;
    }

    CommandResult dampi_run(const fs::path& folder, bool resume, std::optional<milliseconds> kill_after) const {
        Command command{.words = {settings_.dampi_run, "-j", std::to_string(settings_.jobs)},
                        .stdout_file = folder / "stdout",
                        .stderr_file = folder / "stderr",
                        .limit = 600s};
        auto& words = command.words;
        if (resume) {
            words.insert(words.end(), {"--resume", folder / "sweep"});
        } else {
            words.insert(words.end(), {"-n", std::to_string(settings_.processes), "-o", folder / "sweep", "--env",
                                       "RUNS_FILE=" + (folder / "runs").string()});
            words.insert(words.end(), settings_.options.begin(), settings_.options.end());
            words.push_back(settings_.program);
            words.insert(words.end(), settings_.arguments.begin(), settings_.arguments.end());
        }
        if (kill_after) {
            command.signal = SIGKILL;
            command.signal_after = *kill_after;
        }
        return run_supervised(command);
    }

    static std::vector<std::string> leftovers(const CommandResult& result) {
        std::vector<std::string> wrong;
        for (const std::string& process : result.left_behind) {
            wrong.push_back("left behind: " + process);
        }
        return wrong;
    }

    milliseconds random_moment() {
        return milliseconds(std::uniform_int_distribution<milliseconds::rep>(0, duration_.count())(random_));
    }

    /// One sweep, killed at least once unless it is over before, up to its end. What is wrong with it.
    std::vector<std::string> disturbed(const fs::path& folder) {
        std::uint64_t kills = 0;
        CommandResult result;
        for (bool kill = true;; kill = std::bernoulli_distribution(0.5)(random_)) {
            // Before there is a journal, nothing has been done that could be lost.
            const bool resume = fs::exists(folder / "sweep/journal");
            result = dampi_run(folder, resume, kill ? std::optional(random_moment()) : std::nullopt);
            auto wrong = leftovers(result);
            if (!wrong.empty()) {
                return wrong;
            }
            if (result.signal != SIGKILL || result.timed_out) {
                break;
            }
            ++kills;
        }
        kills_ += kills;
        if (result.status < 0) {
            return {describe(result)};
        }
        std::vector<std::string> wrong;
        try {
            wrong = compare(undisturbed_, essence_of(result.status, read_report(folder / "sweep/report.json")));
        } catch (const std::exception& error) {
            return {describe(result), error.what()};
        }
        std::error_code none;
        const auto runs = fs::file_size(folder / "runs", none);
        const std::uint64_t in_flight = kills * static_cast<std::uint64_t>(settings_.jobs);
        const std::uint64_t for_reports = (kills + 1) * settings_.for_reports;
        if (!none && runs > undisturbed_.explored + in_flight + for_reports) {
            wrong.push_back(fmt::format("{} runs for {} interleavings and {} kills: some were run again", runs,
                                        undisturbed_.explored, kills));
        }
        if (!none && runs < undisturbed_.explored) {
            wrong.push_back(fmt::format("only {} runs for {} interleavings", runs, undisturbed_.explored));
        }
        return wrong;
    }

    int failed(const fs::path& folder, const std::vector<std::string>& wrong) const {
        std::cout << fmt::format("FAILED:\n    {}\n{}    kept in {}\n", fmt::join(wrong, "\n    "),
                                 tail_of(folder / "stderr", 5), folder.string());
        return 1;
    }

    Settings settings_;
    std::mt19937_64 random_;
    milliseconds duration_{0};
    Essence undisturbed_;
    std::uint64_t kills_ = 0;
};

}  // namespace
}  // namespace dampi::harness

int main(int argc, char** argv) {
    using namespace dampi::harness;
    Settings settings;
    CLI::App app("Kills sweeps at random moments, resumes them, and compares them with an undisturbed one.");
    app.add_option("--dampi-run", settings.dampi_run, "dampi-run")->required()->check(CLI::ExistingFile);
    app.add_option("--program", settings.program, "the program to verify")->required()->check(CLI::ExistingFile);
    app.add_option("--argument", settings.arguments, "an argument of the program; may be repeated");
    app.add_option("--option", settings.options, "an option of dampi-run; may be repeated");
    app.add_option("--processes", settings.processes, "number of processes")->check(CLI::PositiveNumber);
    app.add_option("--jobs", settings.jobs, "interleavings side by side")->check(CLI::PositiveNumber);
    app.add_option("--kills", settings.kills, "stop after so many kills")->check(CLI::PositiveNumber);
    app.add_option("--for-reports", settings.for_reports, "so many runs may be made again when a sweep is over");
    app.add_option("--seed", settings.seed, "of the moments");
    app.add_option("--work", settings.work, "directory for the sweeps; removed when nothing was found");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        settings.dampi_run = fs::canonical(settings.dampi_run);
        settings.program = fs::canonical(settings.program);
        return Check(std::move(settings)).run();
    } catch (const std::exception& error) {
        std::cerr << "resume_check: " << error.what() << '\n';
        return 2;
    }
}
