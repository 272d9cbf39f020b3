// stress_check: runs correct programs under dampi-run while their ranks are delayed before MPI calls (slow_calls.c),
// and stopped and continued from outside, all at random, up to 3 seconds at a time. Whatever dampi-run then finds is
// false: it checks that every report is free of findings and doubts, that no outcome is one that the program's header
// does not know, and that no process is left behind.
//
//     stress_check --dampi-run FILE --programs SOURCES=EXECUTABLES ... [--slow-calls libslow_calls.so] [--ranks N]
//                  [--wide NAME ...] [--at-once N] [--only TEXT] [--without NAME ...] [--interleavings K]
//                  [--jobs J] [--verdicts] [--engine NAME] [--busy N] [--runs N] [--sweeps N] [--seconds S] [--seed N]
//                  [--work DIR]
//
// With --verdicts it takes faulty programs, too, explores each to its end, and checks that the kinds of findings, and
// whether the result is complete, are those of its header. --busy N keeps N processes per core computing, in bouts of
// ten seconds with pauses as long.
//
// Stops after --runs runs (interleavings; default: all programs once), --sweeps sweeps or --seconds, whatever comes
// first. Exit status: 0 nothing found, 1 something was (each is printed, its report is kept), 2 usage.

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
#include <string_view>
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
    std::vector<std::string> without;
    std::string only;
    fs::path work = fs::temp_directory_path() / ("stress-" + std::to_string(getpid()));
    int ranks = 32;
    int at_once = 96;  // most of them sleep at any time
    int jobs = 12;
    std::uint64_t interleavings = 3;
    bool verdicts = false;
    std::string engine = "distributed";
    int busy = 0;
    std::optional<std::uint64_t> runs;
    std::optional<std::uint64_t> sweeps;
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

bool has_option(const Program& program, std::string_view name) {
    const auto& options = program.expectation.options;
    return std::find(options.begin(), options.end(), name) != options.end();
}

/// Whether the header names an engine, and another one than that of these sweeps: what it says holds with that alone.
bool is_anothers(const Program& program, const Settings& settings) {
    const auto& options = program.expectation.options;
    const auto named = std::find(options.begin(), options.end(), "--engine");
    return named != options.end() && std::next(named) != options.end() && *std::next(named) != settings.engine;
}

/// Whether a program is one to run: a correct one; with --verdicts any, unless what it comes to rests on a time that
/// its options set, or it is about not doing twice what it did. Never another engine's.
bool is_wanted(const Program& program, const Settings& settings) {
    const auto& without = settings.without;
    if (program.name.find(settings.only) == std::string::npos) {
        return false;
    }
    if (std::find(without.begin(), without.end(), program.name) != without.end()) {
        return false;
    }
    // The library that delays calls sleeps: where time is virtual that is the program's own sleep, and delays nobody.
    if (!settings.slow_calls.empty() && (program.name.starts_with("time/") || has_option(program, "--virtual-time"))) {
        return false;
    }
    if (is_anothers(program, settings)) {
        return false;
    }
    if (!settings.verdicts) {
        return program.expectation.kinds.empty();
    }
    const auto& kinds = program.expectation.kinds;
    return !has_option(program, "--hang-limit") && !has_option(program, "--livelock-limit") &&
           !has_option(program, "--time-limit") && std::none_of(kinds.begin(), kinds.end(), is_doubt);
}

/// The programs to run of a folder of sources; its executables lie in another folder in the same order.
void add_programs(const std::string& folders, const Settings& settings, std::vector<Program>& programs) {
    const auto equals = folders.find('=');
    if (equals == std::string::npos) {
        throw std::runtime_error("--programs wants SOURCES=EXECUTABLES");
    }
    const fs::path sources = folders.substr(0, equals);
    const fs::path executables = folders.substr(equals + 1);
    for (const auto& entry : fs::recursive_directory_iterator(sources)) {
        const fs::path& source = entry.path();
        if (source.extension() != ".c" && source.extension() != ".cpp" && source.extension() != ".f90") {
            continue;
        }
        if (!fs::exists(executables / fs::relative(source, sources).replace_extension())) {
            continue;  // its language has no compiler here, or it belongs to a project of its own
        }
        std::ifstream input(source);
        Program program;
        const std::string text{std::istreambuf_iterator<char>(input), {}};
        program.expectation = parse_expectation(text);
        program.name = fs::relative(source, sources).replace_extension();
        program.executable = executables / program.name;
        program.processes = program.expectation.processes;
        if (!is_wanted(program, settings)) {
            continue;
        }
        if (!fs::exists(program.executable)) {
            continue;  // no compiler for its language
        }
        programs.push_back(program);
        if (!settings.verdicts && std::count(settings.wide.begin(), settings.wide.end(), program.name) != 0) {
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
        if (now < next_) {
            return;
        }
        if (stopped_ != 0) {
            kill(stopped_, SIGCONT);
            stopped_ = 0;
            rest();
            return;
        }
        const std::vector<pid_t> ranks = children_of(dampi_run);
        if (ranks.empty()) {
            return;
        }
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

/// What of a report is not as the program's header says.
std::vector<std::string> differences(const Settings& settings, const Expectation& expectation, const Report& report) {
    std::vector<std::string> wrong;
    if (report.kinds() != expectation.kinds) {
        wrong.push_back(fmt::format("findings: {}, expected: {}", fmt::join(report.kinds(), " "),
                                    fmt::join(expectation.kinds, " ")));
    }
    // After a death or a deadlock the others have two seconds: one that is stopped meanwhile may not use them.
    const bool may_be_cut_short = !expectation.kinds.empty() && !report.complete;
    // The library that delays calls remembers when to do so again: then false answers are not without consequences.
    const bool may_be_undecided =
        !settings.slow_calls.empty() && !report.left_out.empty() &&
        std::all_of(report.left_out.begin(), report.left_out.end(), [](const std::string& left) {
            return left.find("whether it matters how often") != std::string::npos;
        });
    if (report.complete == expectation.incomplete && !may_be_cut_short && !may_be_undecided) {
        wrong.push_back(fmt::format("complete: {}, left out: {}", report.complete, fmt::join(report.left_out, "; ")));
    }
    return wrong;
}

/// Findings and doubts, each of which is false.
std::vector<std::string> false_findings(const Report& report) {
    std::vector<std::string> wrong;
    for (const Finding& finding : report.violations) {
        wrong.push_back(finding.kind + ": " + finding.message);
    }
    for (const Finding& finding : report.doubts) {
        wrong.push_back(finding.kind + ": " + finding.message);
    }
    if (report.imprecise_matches + report.divergences + report.duplicates != 0) {
        wrong.push_back(fmt::format("{} imprecise matches, {} divergences, {} duplicates", report.imprecise_matches,
                                    report.divergences, report.duplicates));
    }
    return wrong;
}

/// What is wrong with a sweep; nothing when all is well.
std::vector<std::string> complaints(const Program& program, const Settings& settings, const CommandResult& result,
                                    const fs::path& output, std::uint64_t& runs) {
    std::vector<std::string> wrong;
    const bool may_find = settings.verdicts && !program.expectation.kinds.empty();
    if (result.status != 0 && result.status != 3 && !(may_find && result.status == 1)) {
        wrong.push_back(describe(result));
    }
    for (const std::string& process : result.left_behind) {
        wrong.push_back("left behind: " + process);
    }
    std::optional<Report> report;
    try {
        report = read_report(output / "report.json");
    } catch (const std::exception& error) {
        wrong.emplace_back(error.what());
        return wrong;
    }
    runs = report->explored;
    const auto more = settings.verdicts ? differences(settings, program.expectation, *report) : false_findings(*report);
    wrong.insert(wrong.end(), more.begin(), more.end());
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

/// Whether an engine that was asked for does not take the program.
bool is_refused(const Settings& settings, const CommandResult& result) {
    return settings.engine == "central" && result.status == 2;
}

void run_one(const Settings& settings, const Program& program, std::uint64_t ticket, std::mt19937_64& random,
             Shared& shared) {
    const fs::path folder = settings.work / std::to_string(ticket);
    fs::create_directories(folder);
    Command command{
        .words = {settings.dampi_run, "-q", "-n", std::to_string(program.processes), "-o", folder / "sweep"},
        .stdout_file = folder / "stdout",
        .stderr_file = folder / "stderr",
        .limit = 600s};
    auto& words = command.words;
    if (!settings.slow_calls.empty()) {
        words.insert(words.end(), {"--env", "LD_PRELOAD=" + settings.slow_calls.string()});
        if (!has_option(program, "--real-time")) {
            words.push_back("--real-time");
        }
        // It also remembers: so nothing proves that false answers make no difference, and there would be many more
        // runs.
        if (!has_option(program, "--explore-polls")) {
            words.insert(words.end(), {"--explore-polls", "0"});
        }
    }
    const auto& options = program.expectation.options;
    words.insert(words.end(), options.begin(), options.end());
    // A header speaks of its own number of ranks: more of them may send more than is received.
    if (program.processes != program.expectation.processes && !has_option(program, "--no-message-leaks")) {
        words.push_back("--no-message-leaks");
    }
    if (!has_option(program, "--buffering")) {
        words.insert(words.end(), {"--buffering", "native"});
    }
    words.insert(words.end(), {"--engine", settings.engine});
    if (!settings.verdicts && !has_option(program, "--max-interleavings")) {
        words.insert(words.end(), {"--max-interleavings", std::to_string(settings.interleavings)});
    }
    words.push_back(program.executable);
    words.insert(words.end(), program.expectation.arguments.begin(), program.expectation.arguments.end());

    Stopper stopper(random, shared);
    command.meanwhile = [&](pid_t dampi_run) { stopper.look(dampi_run); };
    const CommandResult result = run_supervised(command);
    std::uint64_t runs = 0;
    const auto wrong = complaints(program, settings, result, folder / "sweep", runs);
    shared.runs += runs;
    if (is_refused(settings, result)) {
        fs::remove_all(folder);
        return;
    }
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
    if (getppid() != parent) {
        _exit(1);
    }
    std::seed_seq seeds{settings.seed, worker};
    std::mt19937_64 random(seeds);
    const auto begin = Clock::now();
    const bool round_and_round = settings.runs || settings.sweeps;
    const std::uint64_t sweeps = settings.sweeps.value_or(round_and_round ? ~std::uint64_t{0} : programs.size());
    for (;;) {
        const std::uint64_t ticket = shared.next_ticket++;
        const Program& program = programs[ticket % programs.size()];
        while (shared.started != ticket || shared.free_ranks < program.processes) {
            std::this_thread::sleep_for(2ms);
        }
        const bool enough = ticket >= sweeps || Seconds(Clock::now() - begin).count() > settings.seconds ||
                            (settings.runs && shared.runs >= *settings.runs);
        if (!enough) {
            shared.free_ranks -= program.processes;
        }
        ++shared.started;
        if (enough) {
            _exit(0);
        }
        run_one(settings, program, ticket, random, shared);
        shared.free_ranks += program.processes;
    }
}

/// Computes for ten seconds, rests for ten, until its parent ends.
[[noreturn]] void keep_busy(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
    for (;;) {
        const auto begin = Clock::now();
        while (Clock::now() - begin < 10s) {}
        std::this_thread::sleep_for(10s);
    }
}

/// Processes that keep the cores busy; they end with this object.
class Load {
public:
    explicit Load(int processes) {
        const pid_t self = getpid();
        for (int number = 0; number < processes; ++number) {
            const pid_t pid = fork();
            if (pid < 0) {
                throw std::runtime_error("cannot fork");
            }
            if (pid == 0) {
                keep_busy(self);
            }
            pids_.push_back(pid);
        }
    }
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;
    ~Load() {
        for (const pid_t pid : pids_) {
            kill(pid, SIGKILL);
        }
        for (const pid_t pid : pids_) {
            waitpid(pid, nullptr, 0);
        }
    }

private:
    std::vector<pid_t> pids_;
};

int run(const Settings& settings) {
    std::vector<Program> programs;
    for (const std::string& folders : settings.programs) {
        add_programs(folders, settings, programs);
    }
    if (programs.empty()) {
        throw std::runtime_error("there is no program to run");
    }
    std::sort(programs.begin(), programs.end(), [](const Program& a, const Program& b) {
        return std::tie(a.name, a.own_size) < std::tie(b.name, b.own_size);
    });
    std::mt19937_64 random(settings.seed);
    std::shuffle(programs.begin(), programs.end(), random);
    fs::create_directories(settings.work);
    std::cout << fmt::format("seed {}, {} programs\n", settings.seed, programs.size()) << std::flush;

    void* const memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::runtime_error("no shared memory");
    }
    Shared& shared = *new (memory) Shared;
    const int widest = std::max_element(programs.begin(), programs.end(), [](const Program& a, const Program& b) {
                           return a.processes < b.processes;
                       })->processes;
    shared.free_ranks = std::max(settings.at_once, widest);

    const auto begin = Clock::now();
    const pid_t self = getpid();
    const Load load(settings.busy * static_cast<int>(std::thread::hardware_concurrency()));
    std::vector<pid_t> workers;
    for (int worker = 0; worker < settings.jobs; ++worker) {
        const pid_t pid = fork();
        if (pid < 0) {
            throw std::runtime_error("cannot fork");
        }
        if (pid == 0) {
            try {
                work(settings, programs, shared, static_cast<std::uint64_t>(worker), self);
            } catch (const std::exception& error) {
                std::cout << "FAILED: a worker: " << error.what() << std::endl;
                _exit(1);
            }
        }
        workers.push_back(pid);
    }
    for (const pid_t pid : workers) {
        int status = 0;
        if (waitpid(pid, &status, 0) != pid || status != 0) {
            ++shared.failures;
        }
    }
    std::cout << fmt::format("{} sweeps, {} runs, ranks stopped {} times, {} failures, {:.0f} s\n",
                             shared.sweeps.load(), shared.runs.load(), shared.stops.load(), shared.failures.load(),
                             Seconds(Clock::now() - begin).count());
    if (shared.failures == 0) {
        fs::remove_all(settings.work);
    }
    return shared.failures == 0 && shared.sweeps != 0 ? 0 : 1;
}

}  // namespace
}  // namespace dampi::harness

int main(int argc, char** argv) {
    using namespace dampi::harness;
    Settings settings;
    CLI::App app("Runs programs with ranks delayed and stopped at random: what is found is what there is.");
    app.add_option("--dampi-run", settings.dampi_run, "dampi-run")->required()->check(CLI::ExistingFile);
    app.add_option("--slow-calls", settings.slow_calls, "the library that delays ranks (of the default engine)")
        ->check(CLI::ExistingFile);
    app.add_option("--programs", settings.programs, "folder of sources=folder of their executables")->required();
    app.add_option("--wide", settings.wide, "program that is also run with as many ranks as --ranks says");
    app.add_option("--only", settings.only, "only programs whose name has this in it");
    app.add_option("--without", settings.without, "program that is left out");
    app.add_option("--ranks", settings.ranks, "ranks of the wide programs")->check(CLI::PositiveNumber);
    app.add_option("--at-once", settings.at_once, "most ranks at one time")->check(CLI::PositiveNumber);
    app.add_option("--jobs", settings.jobs, "most sweeps at one time")->check(CLI::PositiveNumber);
    app.add_option("--interleavings", settings.interleavings, "of each sweep")->check(CLI::PositiveNumber);
    app.add_flag("--verdicts", settings.verdicts, "faulty programs, too, to their end: findings as the header says");
    app.add_option("--engine", settings.engine, "dampi-run's; programs that it refuses do not count");
    app.add_option("--busy", settings.busy, "processes per core that compute in bouts of ten seconds")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--sweeps", settings.sweeps, "go round until so many sweeps are done");
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
        if (!settings.slow_calls.empty()) {
            settings.slow_calls = fs::canonical(settings.slow_calls);
        }
        return run(settings);
    } catch (const std::exception& error) {
        std::cerr << "stress_check: " << error.what() << '\n';
        return 2;
    }
}
