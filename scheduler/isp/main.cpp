// dampi-isp: verifies one MPI program in ISP's manner. Reads ISP's command line, runs the same sweep as dampi-run, and
// tells it in ISP's words, log and exit status.

#include "base/check.hpp"
#include "replay/cause.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/engines/engines.hpp"
#include "scheduler/exploration/each_buffering.hpp"
#include "scheduler/exploration/match_relations.hpp"
#include "scheduler/isp/findings.hpp"
#include "scheduler/isp/log.hpp"
#include "scheduler/isp/options.hpp"
#include "scheduler/isp/report.hpp"
#include "scheduler/report/verdict.hpp"
#include "scheduler/sweep/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;

/// What the program prints is kept as long as it is looked at.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string name = std::filesystem::temp_directory_path() / "dampi-isp-XXXXXX";
        if (mkdtemp(name.data()) == nullptr) {
            throw Error("no folder can be made in " + std::filesystem::temp_directory_path().string() +
                        ": set TMPDIR to one that can be written");
        }
        path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// Passes on to an engine, and shows the record of every run that was finished to somebody. For one run at a time.
class WatchedEngine final : public ExecutionEngine {
public:
    WatchedEngine(ExecutionEngine& engine,
                  std::function<void(const replay::Interleaving&, const replay::RunRecord&)> look)
        : engine_(engine), look_(std::move(look)) {}

    replay::RunRecord run(const replay::Interleaving& interleaving, std::stop_token stop) override {
        replay::RunRecord record = engine_.run(interleaving, stop);
        const bool unfinished = record.cut_short && stop.stop_requested();
        if (!unfinished) {
            look_(interleaving, record);
        }
        return record;
    }

private:
    ExecutionEngine& engine_;
    std::function<void(const replay::Interleaving&, const replay::RunRecord&)> look_;
};

/// The file of -l; without one nothing is written.
class LogFile {
public:
    explicit LogFile(const std::optional<std::filesystem::path>& path) : wanted_(path.has_value()) {
        if (wanted_) {
            out_.open(*path, std::ios::binary | std::ios::trunc);
        }
    }
    void write(const std::string& text) {
        if (wanted_) {
            out_ << text << std::flush;
        }
    }
    [[nodiscard]] bool sound() const { return !wanted_ || out_.good(); }

private:
    bool wanted_;
    std::ofstream out_;
};

/// From a run that did not follow its decisions no deadlock is taken.
std::vector<replay::Violation> believed(const replay::RunRecord& record) {
    std::vector<replay::Violation> violations = record.violations;
    std::erase_if(violations, [&](const replay::Violation& violation) {
        return replay::is_doubt(violation.kind) ||
               (record.diverged && isp::trouble_of(violation) == isp::Trouble::deadlock);
    });
    return violations;
}

isp::ExitCode run(const isp::Options& options) {
    for (const std::string& option : options.without_effect) {
        std::cerr << fmt::format("dampi-isp: the option {} does nothing here\n", option);
    }
    const std::filesystem::path layer =
        find_part("libdampi.so", {DAMPI_LAYER_FROM_BUILT_RUN, DAMPI_LAYER_FROM_INSTALLED_RUN});
    const launch::Program program = inspect(options.program, options.arguments, options.processes, layer);
    LogFile log(options.log);
    isp::LogText log_text(options.processes, options.sends_block);
    log.write(log_text.head());
    const auto log_lost = [&] {
        std::cerr << fmt::format("dampi-isp: the log {} cannot be written\n", options.log->string());
        return isp::ExitCode::log_not_written;
    };
    if (!log.sound()) {
        return log_lost();
    }
    const TemporaryFolder folder;
    std::atomic<bool>& enough = catch_interrupts();
    std::cout << isp::introduction(options) << std::flush;

    std::vector<replay::CallEvent> calls;  // of the run that is just over
    const EngineChoice choice = choose_engine(std::nullopt, program, options.program, options.processes, {});
    const LocalEngineSettings engine_settings{.program = program,
                                              .name = options.program,
                                              .arguments = options.arguments,
                                              .processes = options.processes,
                                              .layer = layer,
                                              .output = folder.path(),
                                              .show_output = true,
                                              .protocol = clocks::Protocol::vector,
                                              .show_calls = [&](auto listed) { calls = std::move(listed); }};
    // What is listed is what the centralized engine does, as ISP's own scheduler did: no run is repeated.
    const Engine engine = choice.kind == replay::EngineKind::central
                              ? make_automatic_engine(engine_settings, false,
                                                      [](const std::string& what) {
                                                          std::cerr << "dampi-isp: " << what
                                                                    << ", and calls are not listed any more\n";
                                                      })
                              : make_engine(choice.kind, engine_settings);
    if (choice.kind != replay::EngineKind::central) {
        std::cerr << "dampi-isp: the calls are not listed: " << choice.why << '\n';
    }
    isp::Narrator narrator(options);
    std::uint64_t number = 0;
    std::set<std::string> causes;  // that were told
    WatchedEngine watched(*engine.runs, [&](const replay::Interleaving& run, const replay::RunRecord& record) {
        const isp::Interleaving shown{
            .number = number + 1, .calls = std::exchange(calls, {}), .violations = believed(record)};
        const std::size_t known = causes.size();
        for (const replay::Violation& violation : shown.violations) {
            causes.insert(replay::cause_of(violation));
        }
        if (run.trial && causes.size() == known) {
            return;  // it only looks whether a polling call's answer matters, and tells what no other run has shown
        }
        ++number;
        std::cout << narrator.interleaving(shown) << std::flush;
        if (options.log) {
            log.write(log_text.interleaving(shown));
        }
        // A sweep without its log is of no use.
        if (!log.sound() || (options.stop_at_deadlock && narrator.deadlock_seen())) {
            enough = true;
        }
    });

    const replay::Buffering buffering = options.sends_block ? replay::Buffering::zero : replay::Buffering::infinite;
    EachBuffering explorer({buffering}, [&]() -> std::unique_ptr<Explorer> {
        MatchRelationsSettings settings;
        settings.bounds.mixing_bound = options.mixing_bound;
        return std::make_unique<MatchRelations>(settings);
    });
    SweepAccount account(CountedPolls::none);
    SweepSettings settings;
    settings.interrupted = &enough;
    if (options.one_interleaving) {
        settings.limits.max_interleavings = 1;
    }
    const SweepResult result = run_sweep(watched, explorer, account, settings);

    if (!log.sound()) {
        return log_lost();
    }
    if (options.stop_at_deadlock && narrator.deadlock_seen() && result.pending != 0 && !options.quiet) {
        std::cout << "Verification stopped. There are still more interleavings to explore\n"
                     "To continue exploring, please re-run and do not set stop-at-deadlock flag\n";
    }
    std::cout << narrator.conclusion() << std::flush;
    SweepResult told = result;
    for (LeftOut& left : left_out_by_bounds(result, {.mixing_bound = options.mixing_bound})) {
        told.left_out.push_back(std::move(left));
    }
    const std::vector<LeftOut> left_out = everything_left_out(told);
    for (const LeftOut& left : left_out) {
        const std::string how = left.remedy.empty() ? "" : " (" + left.remedy + ")";
        std::cerr << fmt::format("dampi-isp: not everything is verified: {}\n", isp::as_said_here(left.what + how));
    }
    if (narrator.exit_code() != isp::ExitCode::verified) {
        return narrator.exit_code();
    }
    if (result.divergences != 0) {
        std::cout << "ERROR! TRANSITIONS ON RESTARTS NOT SAME!!!!\n";
        return isp::ExitCode::not_repeatable;
    }
    return left_out.empty() ? isp::ExitCode::verified : isp::ExitCode::incomplete;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const isp::ParsedOptions parsed = isp::parse_options(argc, argv);
        return parsed.exit_status ? *parsed.exit_status : static_cast<int>(run(parsed.options));
    } catch (const Error& error) {
        std::cerr << "dampi-isp: " << isp::as_said_here(error.what()) << '\n';
        return static_cast<int>(isp::ExitCode::cannot_start);
    } catch (const std::exception& error) {
        std::cerr << "dampi-isp: " << error.what() << '\n';
        return static_cast<int>(isp::ExitCode::internal_error);
    }
}
