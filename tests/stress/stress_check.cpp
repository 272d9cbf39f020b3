// stress_check: runs correct programs under dampi-run while their ranks are delayed before MPI calls (slow_calls.c),
// and stopped and continued from outside, all at random, up to 3 seconds at a time. Whatever dampi-run then finds is
// false: it checks that every report is free of findings and doubts, that no outcome is one that the program's header
// does not know, and that no process is left behind.
//
//     stress_check --dampi-run FILE --slow-calls libslow_calls.so --programs SOURCES=EXECUTABLES ...
//                  [--ranks N] [--wide NAME ...] [--at-once N] [--only TEXT] [--interleavings K] [--jobs J]
//                  [--runs N] [--seconds S] [--seed N] [--work DIR]
//
// Stops after --runs runs (interleavings; default: all programs once) or --seconds, whatever comes first. Exit status:
// 0 nothing found, 1 something was (each is printed, its report is kept), 2 usage.

#include "tests/harness/expectation.hpp"
#include "tests/harness/report.hpp"
#include "tests/harness/supervised_run.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <new>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::harness {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

struct Settings {
    fs::path dampi_run;
    fs::path slow_calls;
    std::vector<std::string> programs;
    std::vector<std::string> wide;
    std::string only;
    fs::path work = fs::temp_directory_path() / ("stress-" + std::to_string(getpid()));
    int ranks = 32;
    int at_once = 96;  // most of them sleep at any time
    int jobs = 12;
    std::uint64_t interleavings = 3;
    std::optional<std::uint64_t> runs;
    double seconds = 1e9;
    std::uint64_t seed = std::random_device()();
};

struct Program {
    std::string name;
    fs::path executable;
    int processes = 0;
    Expectation expectation;
    bool own_size = true;  ///< as many ranks as its header says
};

/// What the workers share. A worker takes a ticket, that is, a program, and starts it when all earlier tickets have
/// started and ranks are free.
struct Shared {
    std::atomic<std::uint64_t> next_ticket = 0;
    std::atomic<std::uint64_t> started = 0;
    std::atomic<int> free_ranks = 0;
    std::atomic<std::uint64_t> sweeps = 0;
    std::atomic<std::uint64_t> runs = 0;
    std::atomic<std::uint64_t> stops = 0;
    std::atomic<std::uint64_t> failures = 0;
};

/// The correct programs of a folder of sources; its executables lie in another folder in the same order.
void add_programs(const std::string& folders, const Settings& settings, std::vector<Program>& programs) {
    const auto equals = folders.find('=');
    if (equals == std::string::npos) throw std::runtime_error("--programs wants SOURCES=EXECUTABLES");
    const fs::path sources = folders.substr(0, equals);
    const fs::path executables = folders.substr(equals + 1);
    for (const auto& entry : fs::recursive_directory_iterator(sources)) {
        const fs::path& source = entry.path();
        if (source.extension() != ".c" && source.extension() != ".cpp" && source.extension() != ".f90") continue;
        std::ifstream input(source);
        Program program;
        const std::string text{std::istreambuf_iterator<char>(input), {}};
        program.expectation = parse_expectation(text);
        program.name = fs::relative(source, sources).replace_extension();
        program.executable = executables / program.name;
        program.processes = program.expectation.processes;
        if (!program.expectation.kinds.empty() || program.name.find(settings.only) == std::string::npos) continue;
        if (!fs::exists(program.executable)) continue;  // no compiler for its language
        programs.push_back(program);
        if (std::count(settings.wide.begin(), settings.wide.end(), program.name) != 0) {
            program.processes = settings.ranks;
            program.own_size = false;
            programs.push_back(program);
        }
    }
}

/// Stops ranks of one dampi-run at random, one at a time, for times from a millisecond to three seconds.
class Stopper {
public:
    Stopper(std::mt19937_64& random, Shared& shared) : random_(random), shared_(shared) { rest(); }

    void look(pid_t dampi_run) {
        const auto now = Clock::now();
        if (now < next_) return;
        if (stopped_ != 0) {
            kill(stopped_, SIGCONT);
            stopped_ = 0;
            rest();
            return;
        }
        const std::vector<pid_t> ranks = children_of(dampi_run);
        if (ranks.empty()) return;
        stopped_ = ranks[random_() % ranks.size()];
        kill(stopped_, SIGSTOP);
        ++shared_.stops;
        const double share = std::uniform_real_distribution<>(0.01, 1)(random_);
        next_ = now + std::chrono::duration_cast<Clock::duration>(Seconds(std::min(3.0, 1e-3 / (share * share))));
    }

private:
    void rest() {
        next_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(Seconds(std::exponential_distribution<>(20)(random_)));
    }

    std::mt19937_64& random_;
    Shared& shared_;
    Clock::time_point next_;
    pid_t stopped_ = 0;
};

/// What is wrong with a sweep; nothing when all is well.
std::vector<std::string> complaints(const Program& program, const CommandResult& result, const fs::path& output,
                                    std::uint64_t& runs) {
    std::vector<std::string> wrong;
    if (result.status != 0 && result.status != 3) wrong.push_back(describe(result));
    for (const std::string& process : result.left_behind) wrong.push_back("left behind: " + process);
    std::optional<Report> report;
    try {
        report = read_report(output / "report.json");
    } catch (const std::exception& error) {
        wrong.emplace_back(error.what());
        return wrong;
    }
    runs = report->explored;
    for (const Finding& finding : report->violations) wrong.push_back(finding.kind + ": " + finding.message);
    for (const Finding& finding : report->doubts) wrong.push_back(finding.kind + ": " + finding.message);
    if (report->imprecise_matches + report->divergences + report->duplicates != 0) {
        wrong.push_back(fmt::format("{} imprecise matches, {} divergences, {} duplicates", report->imprecise_matches,
                                    report->divergences, report->duplicates));
    }
    // An incomplete result may depend on how long a poll waits for somebody who is stopped.
    if (program.own_size && !program.expectation.incomplete && program.expectation.outcomes && report->outcomes) {
        for (const ReportedOutcome& reported : *report->outcomes) {
            if (!program.expectation.outcomes->contains(reported.outcome)) {
                wrong.push_back("impossible outcome " + reported.outcome);
            }
        }
    }
    return wrong;
}

void run_one(const Settings& settings, const Program& program, std::uint64_t ticket, std::mt19937_64& random,
             Shared& shared) {
    const fs::path folder = settings.work / std::to_string(ticket);
    fs::create_directories(folder);
    Command command{.words = {settings.dampi_run, "-q", "-n", std::to_string(program.processes), "-o", folder / "sweep",
                              "--env", "LD_PRELOAD=" + settings.slow_calls.string()},
                    .stdout_file = folder / "stdout",
                    .stderr_file = folder / "stderr",
                    .limit = 600s};
    auto& words = command.words;
    const auto& options = program.expectation.options;
    words.insert(words.end(), options.begin(), options.end());
    if (std::find(options.begin(), options.end(), "--max-interleavings") == options.end()) {
        words.insert(words.end(), {"--max-interleavings", std::to_string(settings.interleavings)});
    }
    words.push_back(program.executable);
    words.insert(words.end(), program.expectation.arguments.begin(), program.expectation.arguments.end());

    Stopper stopper(random, shared);
    command.meanwhile = [&](pid_t dampi_run) { stopper.look(dampi_run); };
    const CommandResult result = run_supervised(command);
    std::uint64_t runs = 0;
    const auto wrong = complaints(program, result, folder / "sweep", runs);
    shared.runs += runs;
    ++shared.sweeps;
    if (wrong.empty()) {
        fs::remove_all(folder);
        return;
    }
    ++shared.failures;
    std::cout << fmt::format("FAILED: {} on {} ranks\n    {}\n    kept in {}\n", program.name, program.processes,
                             fmt::join(wrong, "\n    "), folder.string())
              << std::flush;
}

[[noreturn]] void work(const Settings& settings, const std::vector<Program>& programs, Shared& shared,
                       std::uint64_t worker, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    std::seed_seq seeds{settings.seed, worker};
    std::mt19937_64 random(seeds);
    const auto begin = Clock::now();
    const std::uint64_t sweeps = settings.runs ? ~std::uint64_t{0} : programs.size();
    for (;;) {
        const std::uint64_t ticket = shared.next_ticket++;
        const Program& program = programs[ticket % programs.size()];
        while (shared.started != ticket || shared.free_ranks < program.processes) std::this_thread::sleep_for(2ms);
        const bool enough = ticket >= sweeps || Seconds(Clock::now() - begin).count() > settings.seconds ||
                            (settings.runs && shared.runs >= *settings.runs);
        if (!enough) shared.free_ranks -= program.processes;
        ++shared.started;
        if (enough) _exit(0);
        run_one(settings, program, ticket, random, shared);
        shared.free_ranks += program.processes;
    }
}

int run(const Settings& settings) {
    std::vector<Program> programs;
    for (const std::string& folders : settings.programs) add_programs(folders, settings, programs);
    if (programs.empty()) throw std::runtime_error("there is no program to run");
    std::sort(programs.begin(), programs.end(), [](const Program& a, const Program& b) {
        return std::tie(a.name, a.own_size) < std::tie(b.name, b.own_size);
    });
    std::mt19937_64 random(settings.seed);
    std::shuffle(programs.begin(), programs.end(), random);
    fs::create_directories(settings.work);
    std::cout << fmt::format("seed {}, {} programs\n", settings.seed, programs.size()) << std::flush;

    void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    Shared& shared = *new (memory) Shared;
    const int widest = std::max_element(programs.begin(), programs.end(), [](const Program& a, const Program& b) {
                           return a.processes < b.processes;
                       })->processes;
    shared.free_ranks = std::max(settings.at_once, widest);

    const auto begin = Clock::now();
    const pid_t self = getpid();
    for (int worker = 0; worker < settings.jobs; ++worker) {
        const pid_t pid = fork();
        if (pid < 0) throw std::runtime_error("cannot fork");
        if (pid == 0) {
            try {
                work(settings, programs, shared, static_cast<std::uint64_t>(worker), self);
            } catch (const std::exception& error) {
                std::cout << "FAILED: a worker: " << error.what() << std::endl;
                _exit(1);
            }
        }
    }
    for (int status = 0; wait(&status) > 0;) {
        if (status != 0) ++shared.failures;
    }
    std::cout << fmt::format("{} sweeps, {} runs, ranks stopped {} times, {} failures, {:.0f} s\n",
                             shared.sweeps.load(), shared.runs.load(), shared.stops.load(), shared.failures.load(),
                             Seconds(Clock::now() - begin).count());
    if (shared.failures == 0) fs::remove_all(settings.work);
    return shared.failures == 0 && shared.sweeps != 0 ? 0 : 1;
}

}  // namespace
}  // namespace dampi::harness

int main(int argc, char** argv) {
    using namespace dampi::harness;
    Settings settings;
    CLI::App app("Runs correct programs with ranks delayed and stopped at random; any finding is false.");
    app.add_option("--dampi-run", settings.dampi_run, "dampi-run")->required()->check(CLI::ExistingFile);
    app.add_option("--slow-calls", settings.slow_calls, "the library that delays ranks")
        ->required()
        ->check(CLI::ExistingFile);
    app.add_option("--programs", settings.programs, "folder of sources=folder of their executables")->required();
    app.add_option("--wide", settings.wide, "program that is also run with as many ranks as --ranks says");
    app.add_option("--only", settings.only, "only programs whose name has this in it");
    app.add_option("--ranks", settings.ranks, "ranks of the wide programs")->check(CLI::PositiveNumber);
    app.add_option("--at-once", settings.at_once, "most ranks at one time")->check(CLI::PositiveNumber);
    app.add_option("--jobs", settings.jobs, "most sweeps at one time")->check(CLI::PositiveNumber);
    app.add_option("--interleavings", settings.interleavings, "of each sweep")->check(CLI::PositiveNumber);
    app.add_option("--runs", settings.runs, "go round until so many runs are done");
    app.add_option("--seconds", settings.seconds, "start no sweep after so long");
    app.add_option("--seed", settings.seed, "of the order and of what is stopped when");
    app.add_option("--work", settings.work, "directory for reports; removed when nothing was found");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        settings.dampi_run = fs::canonical(settings.dampi_run);
        settings.slow_calls = fs::canonical(settings.slow_calls);
        return run(settings);
    } catch (const std::exception& error) {
        std::cerr << "stress_check: " << error.what() << '\n';
        return 2;
    }
}
