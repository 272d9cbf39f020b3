// See run_suite.hpp.
#include "scheduler/cli/run_suite.hpp"

#include "base/check.hpp"
#include "launch/program/program.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/cli/exports.hpp"
#include "scheduler/cli/given_files.hpp"
#include "scheduler/cli/open_page.hpp"
#include "scheduler/cli/suite_check.hpp"
#include "scheduler/report/index_page.hpp"
#include "scheduler/report/kept_report.hpp"
#include "scheduler/report/pass_criteria.hpp"
#include "scheduler/report/text_report.hpp"
#include "scheduler/suite/suite_file.hpp"
#include "scheduler/suite/suite_history.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace dampi::scheduler {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* index_name = "index.html";

/// The worst first.
constexpr std::array<int, 5> statuses{4, 2, 1, 3, 0};

int worse(int one, int other) {
    const auto place = [](int status) { return std::find(statuses.begin(), statuses.end(), status); };
    return place(one) < place(other) ? one : other;
}

/// Its command, with a time limit behind that of its own words.
std::vector<std::string> words_of(const SuiteSweep& sweep, const fs::path& directory,
                                  std::optional<milliseconds> time) {
    std::vector<std::string> options = sweep.options;
    if (time) {
        options.insert(options.end(),
                       {"--time-limit", fmt::format("{:.3f}", static_cast<double>(time->count()) / 1000)});
    }
    std::vector<std::string> words = command_of(sweep, options, directory);
    words.emplace(words.begin(), "dampi-run");
    return words;
}

/// Becomes dampi-run, in a group of its own, so that an interrupt reaches it once: through us.
[[noreturn]] void become(char* const* words, int log, pid_t parent) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() == parent && ::dup2(log, STDOUT_FILENO) >= 0 && ::dup2(log, STDERR_FILENO) >= 0) {
        ::execv("/proc/self/exe", words);
    }
    ::_exit(127);
}

/// Runs the command with its output in the file; returns its exit status, 4 where a signal ended it.
int run_command(std::vector<std::string> words, const fs::path& log_file, const std::atomic<bool>& interrupted) {
    std::vector<char*> pointers;
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    const int log = ::open(log_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (log < 0) {
        throw Error(fmt::format("cannot write {}: {}", log_file.string(), std::strerror(errno)));
    }
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child == 0) {
        become(pointers.data(), log, parent);
    }
    ::close(log);
    if (child < 0) {
        throw Error(fmt::format("cannot start a process: {}", std::strerror(errno)));
    }
    constexpr milliseconds pause{5};
    bool told = false;
    int status = 0;
    while (::waitpid(child, &status, WNOHANG) == 0) {
        if (interrupted && !std::exchange(told, true)) {
            ::kill(child, SIGINT);
        }
        std::this_thread::sleep_for(pause);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}

/// What dampi-run has said last: why there is no report.
std::string last_line(const fs::path& log_file) {
    std::ifstream in(log_file);
    std::string last;
    for (std::string line; std::getline(in, line);) {
        last = line.empty() ? last : line;
    }
    constexpr std::string_view name = "dampi-run: ";
    return last.empty() ? "it ended without a word" : last.starts_with(name) ? last.substr(name.size()) : last;
}

/// For the reports, of a sweep that has none of its own.
ReportInputs without_report(const SuiteSweep& sweep, const fs::path& directory) {
    ReportInputs inputs;
    inputs.options.program = sweep.program;
    inputs.options.arguments = sweep.arguments;
    inputs.options.processes = sweep.processes;
    inputs.options.output = directory;
    return inputs;
}

class SuiteRun {
public:
    SuiteRun(fs::path directory, std::optional<milliseconds> time_limit, int verbosity, SuiteHistory history)
        : directory_(std::move(directory)),
          time_limit_(time_limit),
          verbosity_(verbosity),
          history_(std::move(history)) {}

    /// `left`: so many sweeps are left with this one, which share the time.
    void run(const SuiteSweep& sweep, std::size_t left) {
        const fs::path directory = directory_ / sweep.id;
        const std::optional<milliseconds> time = share(left);
        if (interrupted_ || (time && time->count() <= 0)) {
            skip(sweep, directory);
            return;
        }
        const fs::path log = directory_ / (sweep.id + ".txt");
        const int status = run_command(words_of(sweep, directory, time), log, interrupted_);
        const bool has_report = status == 0 || status == 1 || status == 3;
        ReportInputs inputs = has_report ? read_kept_report(directory, build_) : without_report(sweep, directory);
        if (!has_report) {
            inputs.error = last_line(log);
        }
        tell(sweep, inputs);
        sweeps_.push_back(std::move(inputs));
        status_ = worse(status_, std::find(statuses.begin(), statuses.end(), status) == statuses.end() ? 4 : status);
        history_.set(sweep.id, {.status = status, .fingerprint = fingerprint_of(sweep)});
        history_.write(directory_ / suite_history_name);
    }

    /// Those that were run, in the order of these.
    [[nodiscard]] std::vector<ReportInputs> take_sweeps(const std::vector<SuiteSweep>& order) {
        const auto place = [&](const ReportInputs& inputs) {
            return std::find_if(order.begin(), order.end(), [&](const SuiteSweep& each) {
                return each.id == inputs.options.output.filename().string();
            });
        };
        std::stable_sort(sweeps_.begin(), sweeps_.end(),
                         [&](const ReportInputs& a, const ReportInputs& b) { return place(a) < place(b); });
        return std::move(sweeps_);
    }
    [[nodiscard]] int status() const { return status_; }

private:
    /// Of the time that is left; what one does not need is for those after it.
    [[nodiscard]] std::optional<milliseconds> share(std::size_t left) const {
        if (!time_limit_) {
            return std::nullopt;
        }
        const auto used = std::chrono::duration_cast<milliseconds>(Clock::now() - begin_);
        return (*time_limit_ - used) / static_cast<std::int64_t>(left);
    }

    void skip(const SuiteSweep& sweep, const fs::path& directory) {
        ReportInputs inputs = without_report(sweep, directory);
        inputs.result.left_out.push_back(
            interrupted_ ? LeftOut{"interrupt", "the suite was interrupted before this sweep", "", {}}
                         : LeftOut{"time-limit", "the time of the suite was over before this sweep", "", {}});
        tell(sweep, inputs);
        sweeps_.push_back(std::move(inputs));
        status_ = worse(status_, exit_status(Verdict::incomplete));
    }

    /// With --quiet of those alone that do not pass.
    void tell(const SuiteSweep& sweep, ReportInputs& inputs) const {
        inputs.options.verbosity = verbosity_ > 0 ? verbosity_ : -1;
        if (verbosity_ < 0 && exit_status_of(inputs) == 0) {
            return;
        }
        std::vector<std::string> words = sweep.options;
        words.push_back(sweep.program);
        words.insert(words.end(), sweep.arguments.begin(), sweep.arguments.end());
        std::string line;
        for (const std::string& word : words) {
            line += (line.empty() ? "" : " ") + replay::shell_quoted(word);
        }
        std::cout << fmt::format("{}: dampi-run -n {} {}\n", sweep.id, sweep.processes, replay::printable(line))
                  << make_text_report(inputs) << '\n'
                  << std::flush;
    }

    fs::path directory_;
    std::optional<milliseconds> time_limit_;
    int verbosity_;  ///< Options::verbosity
    const std::atomic<bool>& interrupted_ = catch_interrupts();
    std::string build_ = launch::build_fingerprint("/proc/self/exe");
    Clock::time_point begin_ = Clock::now();
    SuiteHistory history_;
    std::vector<ReportInputs> sweeps_;
    int status_ = 0;
};

/// Of a suite's file, or with a sweep for each number of processes.
Suite suite_of(const ParsedOptions& given) {
    if (given.options.suite) {
        return read_suite(*given.options.suite);
    }
    Suite suite;
    const std::string name = fs::path(given.options.program).filename().string();
    for (const int count : given.process_counts) {
        suite.sweeps.push_back({.id = fmt::format("{}-n{}", name, count),
                                .processes = count,
                                .options = {},
                                .program = given.options.program,
                                .arguments = given.options.arguments});
    }
    return suite;
}

void make_directory(const fs::path& directory) {
    std::error_code error;
    fs::create_directories(directory, error);
    if (error) {
        throw Error(fmt::format("cannot make the directory {} ({}): choose another one with -o", directory.string(),
                                error.message()));
    }
}

}  // namespace

int run_suite(const ParsedOptions& parsed, const fs::path& layer) {
    const Options& given = parsed.options;
    Suite suite = suite_of(parsed);
    const fs::path directory = given.given.contains("--output") ? given.output : fs::path("dampi-suite");
    // What is wrong in the command is to be said without the line of a sweep.
    [[maybe_unused]] const GivenFiles files_of_all = read_given_files(given);
    std::vector<std::string> fingerprints;
    for (SuiteSweep& sweep : suite.sweeps) {
        sweep.options = checked_options(sweep, parsed.of_each_sweep, directory / sweep.id, layer);
        fingerprints.push_back(fingerprint_of(sweep));
    }
    make_directory(directory);
    SuiteHistory history = SuiteHistory::read(directory / suite_history_name);
    history.keep(suite.sweeps);
    const std::vector<SuiteSweep> ordered = history.ordered(suite.sweeps, fingerprints);
    SuiteRun run(directory, given.time_limit ? given.time_limit : suite.time_limit, given.verbosity,
                 std::move(history));
    for (std::size_t i = 0; i < ordered.size(); ++i) {
        run.run(ordered[i], ordered.size() - i);
    }
    // What comes first is told first; files tell them in the same order each time.
    const std::vector<ReportInputs> sweeps = run.take_sweeps(suite.sweeps);
    write_index_page(directory / index_name, sweeps);
    write_exports(export_files(given), sweeps);
    const auto passed =
        std::count_if(sweeps.begin(), sweeps.end(), [](const ReportInputs& each) { return exit_status_of(each) == 0; });
    std::cout << fmt::format("dampi: suite: {} of {} pass; look at it in a browser: {}\n", passed,
                             replay::counted(sweeps.size(), "sweep"),
                             replay::printable((directory / index_name).string()))
              << std::flush;
    if (given.open_page) {
        const std::string trouble = open_page(directory / index_name);
        if (!trouble.empty()) {
            std::cerr << "dampi-run: " << trouble << '\n';
        }
    }
    return run.status();
}

}  // namespace dampi::scheduler
