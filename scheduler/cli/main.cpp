// dampi-run: verifies one MPI program. Reads the command line, checks the program, runs the sweep (or the
// one interleaving of a decision file), and writes the reports. Or runs a suite of sweeps (run_suite.hpp).

#include "base/check.hpp"
#include "replay/decision_file.hpp"
#include "replay/epoch_names.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/calls/calls_of_findings.hpp"
#include "scheduler/cli/cached_sweep.hpp"
#include "scheduler/cli/command.hpp"
#include "scheduler/cli/crew.hpp"
#include "scheduler/cli/engine_settings.hpp"
#include "scheduler/cli/exports.hpp"
#include "scheduler/cli/given_files.hpp"
#include "scheduler/cli/hosts_of_sweep.hpp"
#include "scheduler/cli/open_page.hpp"
#include "scheduler/cli/parse_options.hpp"
#include "scheduler/cli/prepared_sweep.hpp"
#include "scheduler/cli/run_suite.hpp"
#include "scheduler/cli/settled_request.hpp"
#include "scheduler/cli/standard_input.hpp"
#include "scheduler/cli/sweep_directory.hpp"
#include "scheduler/cli/system_limits.hpp"
#include "scheduler/corpus/corpus.hpp"
#include "scheduler/engines/engines.hpp"
#include "scheduler/engines/fresh_directory.hpp"
#include "scheduler/engines/run_setup.hpp"
#include "scheduler/exploration/single.hpp"
#include "scheduler/listed_calls.hpp"
#include "scheduler/order/order_effects.hpp"
#include "scheduler/order/order_pairs.hpp"
#include "scheduler/report/json_report.hpp"
#include "scheduler/report/kept_report.hpp"
#include "scheduler/report/not_checked.hpp"
#include "scheduler/report/page.hpp"
#include "scheduler/report/pass_criteria.hpp"
#include "scheduler/report/progress.hpp"
#include "scheduler/report/text_report.hpp"
#include "scheduler/report/verdict.hpp"
#include "scheduler/sweep/needed_choices.hpp"
#include "scheduler/sweep/other_bufferings.hpp"
#include "scheduler/sweep/outcomes_of_findings.hpp"
#include "scheduler/sweep/shortest_decisions.hpp"
#include "scheduler/sweep/sweep.hpp"
#include "scheduler/sweep/sweep_journal.hpp"
#include "scheduler/sweep/touches.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;

void say(const std::string& what) { std::cerr << fmt::format("dampi-run: {}\n", what); }

/// Others than this command start the ranks, or on other machines: runs beside the sweep's own are not made there.
bool runs_elsewhere(const Options& options) {
    return options.workers || options.launcher || !options.hosts.empty() || options.hosts_by_slurm;
}

unsigned jobs_of(const SettledRequest& request) {
    const Options& options = request.options;
    const unsigned usual = options.show_output ? 1 : default_jobs(options.processes);  // several would come out mixed
    const unsigned wished = options.jobs ? static_cast<unsigned>(*options.jobs) : usual;
    return runs_elsewhere(options) ? wished : runs_within_limits(request, wished, !options.jobs);
}

ProgressKind progress_kind(const Options& options) {
    const bool unwanted = options.verbosity < 0 || options.show_output;  // the program's own output is on the terminal
    return options.progress == ProgressKind::automatic && unwanted ? ProgressKind::none : options.progress;
}

/// Empty without --fresh-dir.
std::filesystem::path place_for_copies(const Options& options, const SweepDirectory& directory) {
    if (!options.fresh_directory) {
        return {};
    }
    return std::filesystem::canonical(options.output) / directory.fresh().filename();
}

std::filesystem::path rank_helper() {
    return find_part("dampi-rank", {DAMPI_RANK_FROM_BUILT_RUN, DAMPI_RANK_FROM_INSTALLED_RUN});
}

struct EngineWishes {
    bool repeats = false;                ///< make_automatic_engine()
    std::filesystem::path moments = {};  ///< LocalEngineSettings::moments
    hosts::Hosts* hosts = nullptr;       ///< likewise hosts
    /// Likewise, with polls that answer false among them.
    std::function<void(std::vector<replay::CallEvent>)> show_calls = nullptr;
    bool places_have_stacks = false;  ///< likewise
    bool follows_main = false;        ///< likewise
    bool finds_wrappers = false;      ///< likewise
    bool looks_for_touches = false;   ///< for loads and stores, where it can
};

/// `output`: of what the program prints.
Engine engine_for(const SettledRequest& request, const SweepDirectory& directory, const std::filesystem::path& output,
                  const std::filesystem::path& layer, EngineWishes wishes) {
    const Options& options = request.options;
    std::optional<launch::Launcher> launcher;
    if (options.launcher) {
        launcher = {.command = *options.launcher, .rank_helper = rank_helper()};
    }
    LocalEngineSettings settings = engine_settings(request, output, place_for_copies(options, directory), layer);
    settings.launcher = launcher;
    settings.moments = std::move(wishes.moments);
    settings.hosts = wishes.hosts;
    settings.show_calls = std::move(wishes.show_calls);
    settings.shows_false_polls = true;
    settings.places_have_stacks = wishes.places_have_stacks;
    settings.follows_main = wishes.follows_main;
    settings.finds_wrappers = wishes.finds_wrappers;
    settings.notes_unwatched = settings.checks_buffers;
    settings.checks_buffers = settings.checks_buffers || wishes.looks_for_touches;
    settings.most_shown_calls = most_listed_calls;
    if (options.may_hand_over && request.engine() == replay::EngineKind::central) {
        return make_automatic_engine(settings, wishes.repeats, say);
    }
    return make_engine(request.engine(), settings);
}

/// Null where dampi-run runs the interleavings itself.
std::unique_ptr<Crew> crew_for(const SettledRequest& request, const SweepDirectory& directory,
                               const std::filesystem::path& layer) {
    if (!request.options.workers) {
        return nullptr;
    }
    const auto detail = [told = request.options.verbosity > 0](const std::string& what) {
        if (told) {
            say(what);
        }
    };
    return std::make_unique<Crew>(request, directory.output(), layer, say, detail);
}

WorkersShown shown(const WorkersAccount& account) {
    return {.present = account.present, .slots = account.slots, .lost = account.lost};
}

/// The time of a sweep and of what is run before and after it.
class Time {
public:
    explicit Time(const std::optional<std::chrono::milliseconds>& limit) : limit_(limit) {}

    [[nodiscard]] std::chrono::milliseconds passed() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin_);
    }
    /// At least a millisecond.
    [[nodiscard]] std::optional<std::chrono::milliseconds> left() const {
        return limit_ ? std::optional(std::max(*limit_ - passed(), std::chrono::milliseconds(1))) : std::nullopt;
    }
    [[nodiscard]] bool over() const { return limit_ && passed() >= *limit_; }

private:
    std::optional<std::chrono::milliseconds> limit_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// What is in this folder is of no use any more when whoever has it is over.
class PassingFolder {
public:
    explicit PassingFolder(std::filesystem::path path) : path_(std::move(path)) {}
    ~PassingFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    PassingFolder(const PassingFolder&) = delete;
    PassingFolder& operator=(const PassingFolder&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// Runs of single interleavings that are none of the sweep's own.
class SingleRuns {
public:
    /// `output`: of what the program prints; it is made.
    SingleRuns(SettledRequest request, const SweepDirectory& directory, const std::filesystem::path& output,
               const std::filesystem::path& layer, const Time& time, const std::atomic<bool>& interrupted,
               EngineWishes wishes = {})
        : request_(std::move(request)), time_(time), interrupted_(interrupted) {
        std::filesystem::create_directories(output);
        engine_ = engine_for(request_, directory, output, layer, std::move(wishes));
    }

    [[nodiscard]] SweepResult run(const replay::Interleaving& interleaving) const {
        SingleInterleaving explorer(interleaving);
        SweepAccount account(counted_polls(request_.options));
        SweepSettings settings;
        settings.limits.time_limit = time_.left();
        settings.interrupted = &interrupted_;
        return run_sweep(*engine_.runs, explorer, account, settings);
    }

    /// The run alone, which nobody judges.
    [[nodiscard]] replay::RunRecord record(const replay::Interleaving& interleaving,
                                           const std::stop_token& stop) const {
        return engine_.runs->run(interleaving, stop);
    }

private:
    SettledRequest request_;
    const Time& time_;
    const std::atomic<bool>& interrupted_;
    Engine engine_;
};

/// Replays the corpus, within the time of the sweep, each file with the engine that has made it; what is printed goes
/// to a folder of its own.
CorpusReplay replay_corpus_first(const std::vector<CorpusFile>& files, const SettledRequest& request,
                                 const SweepDirectory& directory, const std::filesystem::path& layer, const Time& time,
                                 const std::atomic<bool>& interrupted) {
    std::map<std::tuple<replay::EngineKind, clocks::Protocol, bool, bool, std::uint32_t>, SingleRuns> ways;
    const auto run = [&](const CorpusFile& file) {
        const replay::DecisionFile& content = file.content;
        const auto way = std::tuple(content.engine, content.clock, content.virtual_time, content.checks_buffers,
                                    content.explore_polls);
        try {
            if (!ways.contains(way)) {
                const std::filesystem::path output = directory.output() / "corpus";
                ways.try_emplace(way, settle_kept(request.options, content, layer), directory, output, layer, time,
                                 interrupted);
            }
        } catch (const Error& error) {
            SweepResult none;
            none.left_out.push_back({"corpus", error.what(), "", {}});
            return none;
        }
        return ways.at(way).run(content.interleaving);
    };
    return replay_corpus(files, request.options, run, [&] { return !interrupted && !time.over(); });
}

/// A few runs beside the sweep's own, on this machine; nothing where they cannot be made: what the sweep has found is
/// told all the same. Their outputs are not kept.
std::optional<SweepResult> run_beside(const SettledRequest& request, replay::EngineKind engine,
                                      const SweepDirectory& directory, const std::filesystem::path& layer,
                                      const char* folder, const std::atomic<bool>& interrupted,
                                      const heuristics::BudgetLimits& limits, const EngineWishes& wishes) {
    const PassingFolder output(directory.output() / folder);
    try {
        SettledRequest beside = settle_single(request, engine);
        beside.options.show_output = false;
        beside.options.sample = 0;
        std::filesystem::create_directories(output.path());
        const Engine runs = engine_for(beside, directory, output.path(), layer, wishes);
        const std::unique_ptr<Explorer> explorer = explorer_for_sweep(beside);
        SweepAccount account(counted_polls(beside.options));
        SweepSettings settings;
        settings.limits = limits;
        settings.interrupted = &interrupted;
        return run_sweep(*runs.runs, *explorer, account, settings);
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Whether the program's own loads and stores could be looked for in a run by this engine, and are not anyway.
bool may_look_for_touches(const SettledRequest& request, replay::EngineKind engine) {
    const Options& options = request.options;
    const bool looks_already = options.checks_buffers || options.replay ||
                               (engine == replay::EngineKind::distributed && watches_windows(request.program));
    return !looks_already && !runs_elsewhere(options) && may_leave_pending(request.program) &&
           can_watch_buffers(engine_settings(request, {}, {}, {}), engine);
}

/// Where only one run is wanted there is no other. The centralized engine looks in that, which costs it little.
bool looks_in_the_only_run(const SettledRequest& request) {
    return request.options.max_interleavings == 1 && request.engine() == replay::EngineKind::central &&
           may_look_for_touches(request, request.engine());
}

/// Where the sweep's runs have not looked for the program's own loads and stores, a few others do. Whether one has come
/// to its end, and none went another way than the sweep's.
bool look_for_touches(SweepResult& result, const SettledRequest& request, replay::EngineKind engine,
                      const SweepDirectory& directory, const std::filesystem::path& layer, const Time& time,
                      const std::atomic<bool>& interrupted) {
    const Options& options = request.options;
    const bool has_enough = options.max_interleavings == 1 || (options.stop_on_first && !result.findings.empty());
    const std::chrono::milliseconds most = time_for_touches(result);
    if (has_enough || most.count() == 0 || interrupted || time.over() || !may_look_for_touches(request, engine)) {
        return false;
    }
    const auto seen = run_beside(request, engine, directory, layer, "touches", interrupted,
                                 {.max_interleavings = std::min(
                                      most_runs_for_touches, options.max_interleavings.value_or(most_runs_for_touches)),
                                  .time_limit = std::min(most, time.left().value_or(most)),
                                  .stop_on_first = options.stop_on_first},
                                 {.places_have_stacks = true, .looks_for_touches = true});
    if (!seen) {
        return false;
    }
    const bool as_usual = !went_otherwise(seen->findings, result);
    take_in_touches(seen->findings, result);
    return seen->explored != 0 && as_usual;
}

/// Where a bound has left nothing for a mode of buffering, a few runs look at it. How many there were.
std::map<replay::Buffering, std::uint64_t> look_at_other_bufferings(SweepResult& result, const SettledRequest& request,
                                                                    replay::EngineKind engine,
                                                                    const SweepDirectory& directory,
                                                                    const std::filesystem::path& layer,
                                                                    const std::atomic<bool>& interrupted) {
    const Options& options = request.options;
    std::map<replay::Buffering, std::uint64_t> looked;
    const bool has_enough = options.max_interleavings == 1 || (options.stop_on_first && !result.findings.empty());
    const std::chrono::milliseconds most = time_for_touches(result);
    if (has_enough || interrupted || options.replay || runs_elsewhere(options) || most.count() == 0) {
        return looked;
    }
    for (const replay::Buffering mode : bufferings_without_runs(options.buffering, result)) {
        SettledRequest other = request;
        other.options.buffering = {mode};
        const auto seen = run_beside(
            other, engine, directory, layer, "other_buffering", interrupted,
            {.max_interleavings = std::min(most_runs_in_other_bufferings,
                                           options.max_interleavings.value_or(most_runs_in_other_bufferings)),
             .time_limit = most,
             .stop_on_first = options.stop_on_first},
            {});
        if (seen && seen->explored != 0) {
            looked.emplace(mode, seen->explored);
            take_in_other_bufferings(seen->findings, result);
        }
    }
    return looked;
}

/// Where runs may end in states of others.
void shorten(SweepResult& result, const Explorer& explorer, const SettledRequest& request,
             const SweepDirectory& directory, const std::filesystem::path& layer, const Time& time,
             const std::atomic<bool>& interrupted) {
    if (result.findings.empty()) {
        return;
    }
    const std::vector<OutcomesOfMode> outcomes = result.outcomes.empty() ? explorer.outcomes() : result.outcomes;
    if (!knows_shorter_ways(result, outcomes)) {
        return;
    }
    const PassingFolder output(directory.output() / "shortest");
    try {
        const SingleRuns runs(settle_single(request, replay::EngineKind::central), directory, output.path(), layer,
                              time, interrupted);
        use_shortest_decisions(result, outcomes,
                               {.run = [&](const replay::Interleaving& interleaving) { return runs.run(interleaving); },
                                .go_on = [&] { return !interrupted && !time.over(); }});
    } catch (const Error&) {  // the findings have their decisions
    }
}

/// With --minimize in further runs; without, as far as the sweep's own tell.
void minimize(SweepResult& result, const SettledRequest& request, replay::EngineKind engine,
              const SweepDirectory& directory, const std::filesystem::path& layer, const Time& time,
              const std::atomic<bool>& interrupted) {
    if (!request.options.minimize || result.findings.empty()) {
        find_choices_that_interleavings_need(result);
        return;
    }
    const PassingFolder output(directory.output() / "needed");
    const SingleRuns runs(settle_single(request, engine), directory, output.path(), layer, time, interrupted);
    look_for_needed_choices(result,
                            {.run = [&](const replay::Interleaving& interleaving) { return runs.run(interleaving); },
                             .go_on = [&] { return !interrupted && !time.over(); }});
}

/// With --explain-order. `whole`: `pairs` has seen all runs of the sweep.
OrderAccount explain_order(const ReportInputs& inputs, const OrderPairs& pairs, bool whole,
                           const SettledRequest& request, const SweepDirectory& directory,
                           const std::filesystem::path& layer, const Time& time, const std::atomic<bool>& interrupted) {
    OrderAccount account;
    account.asked = request.options.explain_order;
    if (!account.asked) {
        return account;
    }
    account.why_not = request.obstacle_to_comparing;
    if (inputs.handed_over) {
        account.why_not = inputs.engine_reason;
    }
    if (!account.why_not.empty()) {
        return account;
    }
    account.compared = pairs.compared();
    const SweepResult& result = inputs.result;
    account.nothing_differs = whole && pairs.all_equal() && result.complete() && everything_left_out(result).empty();
    const std::vector<std::vector<OrderPair>> found = pairs.pairs();
    if (found.empty() || interrupted || time.over()) {
        return account;
    }
    const PassingFolder output(directory.output() / "order");
    const PassingFolder moments(std::filesystem::canonical(directory.output()) / "moments");
    std::error_code ignored;
    std::filesystem::create_directories(moments.path(), ignored);  // where it is not there, nothing is written
    try {
        const SingleRuns runs(settle_single(request, replay::EngineKind::central), directory, output.path(), layer,
                              time, interrupted, {.moments = moments.path()});
        account.effects =
            order_effects(found, {.run =
                                      [&](const replay::Interleaving& interleaving) {
                                          const SweepResult run = runs.run(interleaving);
                                          return run.explored == 1 && run.unfinished == 0 && run.doubts.empty();
                                      },
                                  .folder = moments.path(),
                                  .go_on = [&] { return !interrupted && !time.over(); }});
    } catch (const Error& error) {  // what the sweep has found is told all the same
        account.why_not = error.what();
    }
    return account;
}

/// For what is run after a sweep for its findings: it takes at most a tenth of the sweep's own time, or a few seconds.
class TimeForFindings {
public:
    using Clock = std::chrono::steady_clock;

    TimeForFindings(const SweepResult& result, std::chrono::seconds at_least, const std::atomic<bool>& interrupted)
        : end_(Clock::now() +
               std::max<Clock::duration>(at_least, std::chrono::duration_cast<Clock::duration>(
                                                       std::chrono::duration<double>(result.seconds / 10)))),
          watch_([this, &interrupted](const std::stop_token& over) {
              while (!over.stop_requested() && !stop_.stop_requested()) {
                  if (interrupted || left().count() <= 0) {
                      stop_.request_stop();
                  }
                  std::this_thread::sleep_for(std::chrono::milliseconds(10));
              }
          }) {}

    [[nodiscard]] std::chrono::milliseconds left() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(end_ - Clock::now());
    }
    /// Is requested when it is over, or the user wants no more.
    [[nodiscard]] std::stop_token over() const { return stop_.get_token(); }

private:
    Clock::time_point end_;
    std::stop_source stop_;
    std::jthread watch_;
};

/// What MPI itself makes of the runs that show the findings.
std::vector<Confirmation> confirm_findings(const Engine& engine, const SweepResult& result,
                                           const std::atomic<bool>& interrupted) {
    std::vector<Confirmation> all;
    if (!engine.confirm || !engine.handed_over().empty() || result.findings.empty()) {
        return all;
    }
    const TimeForFindings time(result, std::chrono::seconds(10), interrupted);
    for (const Finding& finding : result.findings) {
        if (finding.foreseen || finding.shown_by != Finding::ShownBy::sweep) {
            all.emplace_back();
        } else if (interrupted) {
            all.push_back({Confirmation::Result::not_tried, "the sweep was interrupted"});
        } else if (time.left().count() <= 0) {
            all.push_back(
                {Confirmation::Result::not_tried, "other findings' runs took all the time there is for that"});
        } else {
            all.push_back(engine.confirm(finding.reproducer, finding.violation, time.left(), time.over()));
        }
    }
    return all;
}

/// All calls of the runs that show the findings, which only the centralized engine knows, and their call stacks. Where
/// ranks are on other hosts, these runs are on this machine, if it may have them all.
std::vector<ListedCalls> list_calls(ReportInputs& inputs, const SettledRequest& request, replay::EngineKind engine,
                                    const SweepDirectory& directory, const std::filesystem::path& layer,
                                    const Time& time, const std::atomic<bool>& interrupted) {
    SweepResult& result = inputs.result;
    const auto none = [&](const std::string& why_not) {
        return std::vector<ListedCalls>(result.findings.size(),
                                        ListedCalls{.failing = {}, .passing = {}, .why_not = why_not});
    };
    constexpr int most_here = 64;
    if ((!request.options.hosts.empty() || request.options.hosts_by_slurm) && request.options.processes > most_here) {
        return none("so many ranks on other hosts are not started again for that");
    }
    if (result.findings.empty()) {
        return {};
    }
    const bool lists_calls = engine == replay::EngineKind::central;
    const PassingFolder output(directory.output() / "listed");
    try {
        SettledRequest single = settle_single(request, engine);
        single.options.show_output = false;  // it is on the terminal already
        std::vector<replay::CallEvent> calls;
        EngineWishes wishes{.places_have_stacks = true, .finds_wrappers = true};
        if (lists_calls) {
            wishes.show_calls = [&](auto listed) { calls = std::move(listed); };
        }
        const SingleRuns runs(single, directory, output.path(), layer, time, interrupted, wishes);
        wishes.follows_main = true;
        std::optional<SingleRuns> following;
        const TimeForFindings budget(result, std::chrono::seconds(2), interrupted);
        const auto run_by = [&](const SingleRuns& way, const replay::Interleaving& interleaving) {
            calls.clear();
            replay::RunRecord record = way.record(interleaving, budget.over());
            return CallsOfFindingsSettings::Run{.record = std::move(record), .calls = std::move(calls)};
        };
        ListedFindings found = calls_of_findings(
            result, request.options.protocol(),
            {.run = [&](const replay::Interleaving& interleaving) { return run_by(runs, interleaving); },
             .run_following_main =
                 [&](const replay::Interleaving& interleaving) {
                     if (!following) {
                         following.emplace(single, directory, output.path(), layer, time, interrupted, wishes);
                     }
                     return run_by(*following, interleaving);
                 },
             .lists_calls = lists_calls,
             .go_on = [&] { return !budget.over().stop_requested(); }});
        for (const std::size_t whole : found.parts_of) {
            if (whole < inputs.confirmations.size()) {
                inputs.confirmations.push_back(Confirmation(inputs.confirmations[whole]));
            }
        }
        return std::move(found.calls);
    } catch (const Error& error) {  // what the sweep has found is told all the same
        return none(fmt::format("its runs could not be made again: {}", error.what()));
    }
}

/// What was not run, beside what the sweep itself says.
std::vector<LeftOut> left_out_by(const Options& options, const SweepResult& result,
                                 const std::map<replay::Buffering, std::uint64_t>& beside) {
    std::vector<LeftOut> left_out = left_out_by_bounds(result, options.bounds);
    for (const replay::Buffering mode : bufferings_without_runs(options.buffering, result)) {
        const auto looked = beside.find(mode);
        left_out.push_back(
            {"buffering",
             looked == beside.end()
                 ? fmt::format("nothing was run with {} buffering", replay::buffering_name(mode))
                 : fmt::format("with {} buffering only {} {} run, not counted among those explored",
                               replay::buffering_name(mode), replay::counted(looked->second, "interleaving"),
                               looked->second == 1 ? "was" : "were")});
    }
    if (options.replay) {
        left_out.push_back({"replay", "only the one interleaving of " + options.replay->string() + " was run"});
    }
    return left_out;
}

/// Of two ways of the first run only one was explored.
LeftOut left_out_by_difference(const ReportInputs& inputs) {
    return inputs.handed_over
               ? LeftOut{"first-run-differs",
                         "what can follow from the first run as the centralized engine made it, since MPI itself went "
                         "another way: " +
                             inputs.first_run.what,
                         "--engine central explores it; --virtual-time (or --real-time, where it was virtual) or "
                         "--fresh-dir, if "
                         "the program goes by the time or by files that runs leave behind",
                         {}}
               : LeftOut{"first-run-repeated",
                         "the program does not repeat itself: run again with the same matches, the first interleaving "
                         "went another way: " +
                             inputs.first_run.what,
                         "--virtual-time (or --real-time, where it was virtual) where it goes by the time, --fresh-dir "
                         "where it goes by files that runs leave "
                         "behind",
                         {}};
}

/// Those that fail are what somebody is going to mend.
std::vector<std::string> add_findings_that_fail(const ReportInputs& inputs) {
    std::vector<std::filesystem::path> files;
    std::vector<std::string> fingerprints;
    for (std::size_t i = 0; i < inputs.result.findings.size(); ++i) {
        const Passing::Judged judged = inputs.passing.of(i);
        const std::filesystem::path file = file_at(inputs.finding_files, i);
        files.push_back(judged.fails && !file.empty() ? inputs.options.output / file : std::filesystem::path());
        fingerprints.push_back(judged.fingerprint);
    }
    return add_to_corpus(*inputs.options.corpus, files, fingerprints);
}

/// `engine` is the one that the sweep ended with.
void write_reports(ReportInputs& inputs, const SettledRequest& request, replay::EngineKind engine,
                   const SweepDirectory& directory) {
    const SweepResult& result = inputs.result;
    try {
        inputs.finding_files = directory.save_decisions(result, result.findings, request, engine);
        inputs.needed_files = directory.save_needed_choices(result, inputs.finding_files, request, engine);
        inputs.finding_graphs = directory.save_graphs(result.findings, inputs.finding_files, request.options);
        inputs.finding_outputs = directory.kept_output(result.findings);
        inputs.doubt_files = directory.save_decisions(result, result.doubts, request, engine);
        if (request.options.corpus_add) {
            inputs.corpus_added = add_findings_that_fail(inputs);
        }
        write_json_report(request.options.output / "report.json", inputs);
        write_page(request.options.output / page_name, inputs);
        keep_report(request.options.output, inputs, launch::build_fingerprint("/proc/self/exe"));
        write_exports(export_files(request.options), {&inputs, 1});
    } catch (const Error& error) {
        std::cout << make_text_report(inputs) << std::flush;  // what was found must not be lost with the disk
        throw Error(
            fmt::format("{}; what the sweep has found is printed, and with its reports the exit status would be {}",
                        error.what(), exit_status_of(inputs)));
    }
    std::cout << make_text_report(inputs) << std::flush;
}

/// Writes the reports, and opens the page where that is wanted; returns the exit status.
int conclude(ReportInputs& inputs, const SettledRequest& request, replay::EngineKind engine,
             const SweepDirectory& directory) {
    write_reports(inputs, request, engine, directory);
    if (request.options.open_page) {
        const std::string trouble = open_page(request.options.output / page_name);
        if (!trouble.empty()) {
            std::cerr << "dampi-run: " << trouble << '\n';
        }
    }
    return exit_status_of(inputs);
}

std::chrono::year_month_day today() { return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now()); }

OwnParts own_parts(const std::filesystem::path& layer) {
    return {.layer = layer,
            .others = {layer.parent_path() / "libdampi-central.so", rank_helper(),
                       find_part("dampi-worker", {"dampi-worker"})}};
}

/// Reports what the cache has; what passes is judged anew.
int report_cached(CachedSweep cached, const SweepDirectory& directory, const GivenFiles& files, StandardInput& input) {
    ReportInputs inputs = std::move(cached.entry.inputs);
    inputs.options = cached.request.options;
    std::optional<std::filesystem::path> set_aside;
    [[maybe_unused]] const replay::JournalLock lock = directory.begin(set_aside);
    tell_what_was_set_aside(inputs.options, set_aside);
    cached.cache.bring(inputs.options.output);
    input.keep_in(inputs.options.output);
    inputs.options.standard_input = input.file();
    cached.cache.release();
    inputs.cached = cached.cache.entry().string();
    inputs.corpus_added.clear();
    inputs.passing = judge_passing(inputs, files.baseline, files.suppressions, today());
    return conclude(inputs, cached.request, replay::engine_of(inputs.engine).value(), directory);
}

int run(const Options& given, const std::filesystem::path& layer) {
    const SweepDirectory directory(given.output);
    if (given.fresh_directory) {
        require_outside(std::filesystem::current_path(), std::filesystem::weakly_canonical(given.output));
    }
    GivenFiles files = read_given_files(given);
    StandardInput input = StandardInput::take(say);
    std::optional<CachedSweep> cached;
    if (given.cache) {
        cached = look_into_cache(given, own_parts(layer));
    }
    if (cached && cached->entry.kept == SweepCache::Kept::verdict) {
        return report_cached(std::move(*cached), directory, files, input);
    }
    auto [request, explorer, account, journal, from_cache, known_portability] =
        !cached ? prepare(given, directory, layer)
        : cached->entry.kept == SweepCache::Kept::journal
            ? prepare_from_cache(cached->request, cached->cache, directory)
            : prepare_new(cached->request, directory, layer);
    input.keep_in(given.output);
    request.options.standard_input = input.file();
    const Options& options = request.options;
    if (options.resume) {
        files = read_given_files(options);  // also those with which the sweep was begun
    }
    const std::atomic<bool>& interrupted = catch_interrupts(
        journal ? "; go on with: dampi-run --resume " + replay::shell_quoted(options.output.string()) : "");
    const Time time(options.time_limit);
    const unsigned jobs = jobs_of(request);
    CorpusReplay corpus_replay = replay_corpus_first(files.corpus, request, directory, layer, time, interrupted);
    const std::unique_ptr<Crew> crew = crew_for(request, directory, layer);
    const std::unique_ptr<hosts::Hosts> hosts = hosts_of(request, layer, jobs, say);
    const Engine engine =
        crew ? crew->engine(request, true)
             : engine_for(request, directory, directory.output(), layer,
                          {.repeats = true, .hosts = hosts.get(), .looks_for_touches = looks_in_the_only_run(request)});
    Progress progress(STDERR_FILENO, progress_kind(options));
    const auto numbers = [&, before = account.explored(),
                          trials_before = account.trials()](const SweepProgress& so_far) {
        return ProgressNumbers{.explored = so_far.explored,
                               .explored_before = before,
                               .trials = so_far.trials - trials_before,
                               .running = so_far.running,
                               .pending = so_far.pending,
                               .violations = so_far.findings,
                               .part_done = so_far.part_done,
                               .elapsed = time.passed(),
                               .size = bounded(options) ? std::nullopt : so_far.size,
                               .workers = crew ? std::optional(shown(crew->account())) : std::nullopt};
    };
    OutputKeeper kept_output(directory.output());
    SweepSettings settings;
    // Of a sweep that goes on from the cache each command has a budget of its own.
    const std::optional<std::uint64_t> most = options.max_interleavings && from_cache
                                                  ? std::optional(*options.max_interleavings + account.explored())
                                                  : options.max_interleavings;
    settings.limits = {.max_interleavings = most,
                       .time_limit = files.corpus.empty() ? options.time_limit : time.left(),
                       .stop_on_first = options.stop_on_first};
    settings.jobs = jobs;
    settings.repeats_doubts = !request.merges_states;
    settings.interrupted = &interrupted;
    settings.keeper = journal.get();
    settings.progress = [&](const SweepProgress& so_far) { progress.update(numbers(so_far)); };
    if (options.keep_output == KeptOutput::findings) {
        if (options.resume || from_cache) {
            kept_output.begin(account);
        }
        settings.taken_in = [&](std::uint64_t number, const SweepAccount& so_far) {
            kept_output.taken_in(number, so_far);
        };
    }

    OrderPairs order_pairs;
    const bool order_from_begin = account.explored() == 0;
    if (options.explain_order) {
        settings.look = [&](const replay::Interleaving& interleaving, const replay::RunRecord& record) {
            order_pairs.look(interleaving, record);
        };
    }

    ReportInputs inputs;
    inputs.options = options;
    inputs.clock = replay::clock_name(options.protocol());
    inputs.mpi_library = request.mpi_library;
    inputs.time_reason = request.time_reason;
    inputs.merging_obstacle =
        options.merge_states == MergeUse::automatic && !request.merges_states ? request.obstacle_to_comparing : "";
    inputs.piggyback = request.piggyback();
    inputs.result = run_sweep(*engine.runs, *explorer, account, settings);
    const auto end_of_sweep = std::chrono::steady_clock::now();
    const SweepResult& result = inputs.result;
    inputs.result.clocks_may_miss = options.protocol() == clocks::Protocol::lamport && !result.sites.sites().empty();
    inputs.result.known_portability = known_portability;
    inputs.error = merging_error(result);
    inputs.launching = engine.launching();
    inputs.handed_over = !engine.handed_over().empty();
    inputs.engine_reason = inputs.handed_over ? engine.handed_over() : request.engine_reason;
    inputs.first_run = engine.first_run();
    const replay::EngineKind engine_at_the_end =
        inputs.handed_over ? replay::EngineKind::distributed : request.engine();
    const bool looked_for_touches =
        looks_in_the_only_run(request) ||
        look_for_touches(inputs.result, request, engine_at_the_end, directory, layer, time, interrupted);
    inputs.not_checked =
        not_checked(request.program, options.checks_buffers || watches_windows(request.program) || looked_for_touches);
    const std::map<replay::Buffering, std::uint64_t> looked_at_buffering =
        look_at_other_bufferings(inputs.result, request, engine_at_the_end, directory, layer, interrupted);
    if (!inputs.handed_over) {
        shorten(inputs.result, *explorer, request, directory, layer, time, interrupted);
    }
    inputs.confirmations = confirm_findings(engine, result, interrupted);
    if (crew) {
        inputs.workers = crew->account();
    }
    inputs.engine = replay::engine_name(engine_at_the_end);
    progress.end(numbers({.explored = result.explored,
                          .trials = account.trials(),
                          .running = 0,
                          .pending = result.pending,
                          .findings = account.findings(),
                          .part_done = explorer->progress(),
                          .size = result.size_estimate}));
    for (LeftOut& left : left_out_by(options, result, looked_at_buffering)) {
        inputs.result.left_out.push_back(std::move(left));
    }
    if (inputs.first_run.result == Confirmation::Result::differed) {
        inputs.result.left_out.push_back(left_out_by_difference(inputs));
    }
    if (inputs.first_run.result == Confirmation::Result::no_end && !inputs.handed_over) {
        inputs.result.left_out.push_back(
            {"first-run", "whether MPI itself comes to the end of the first run: " + inputs.first_run.what,
             "see what it does with --engine distributed, or natively"});
    }
    if (journal) {
        inputs.was_finished = journal->was_finished();
        if (!result.ended_early) {
            journal->finish();
        }
    }
    inputs.corpus = take_in_corpus(std::move(corpus_replay), inputs.result);
    minimize(inputs.result, request, engine_at_the_end, directory, layer, time, interrupted);
    inputs.order = explain_order(inputs, order_pairs, order_from_begin, request, directory, layer, time, interrupted);
    inputs.calls = list_calls(inputs, request, engine_at_the_end, directory, layer, time, interrupted);
    // What was run again, by MPI itself or to know more, and beside: it was waited for as well.
    inputs.result.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - end_of_sweep).count();
    inputs.passing = judge_passing(inputs, files.baseline, files.suppressions, today());
    const int status = conclude(inputs, request, engine_at_the_end, directory);
    if (cached) {
        keep_in_cache(*cached, inputs, given, own_parts(layer), *journal, interrupted || time.over());
    }
    return status;
}

/// Throws dampi::Error where the report that people read could not be written. Whoever has stopped reading it wants no
/// more of it.
void require_printed() {
    pollfd output{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
    if (std::cout.flush().fail() && (poll(&output, 1, 0) < 0 || (output.revents & POLLERR) == 0)) {
        throw Error("the report could not be written to the standard output; it is in the sweep's directory");
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const ParsedOptions parsed = parse_options(argc, argv);
        if (parsed.exit_status) {
            return *parsed.exit_status;
        }
        for (const std::string& remark : parsed.remarks) {
            say(replay::printable(remark));
        }
        const std::filesystem::path layer =
            find_part("libdampi.so", {DAMPI_LAYER_FROM_BUILT_RUN, DAMPI_LAYER_FROM_INSTALLED_RUN});
        const bool has_several = parsed.options.suite || !parsed.process_counts.empty();
        if (has_several) {
            StandardInput::take(say);  // once for all of them
        }
        const int status = has_several ? run_suite(parsed, layer) : run(parsed.options, layer);
        require_printed();
        return status;
    } catch (const Error& error) {
        std::cerr << "dampi-run: " << error.what() << '\n';
        return usage_or_environment_error;
    } catch (const std::exception& error) {
        std::cerr << "dampi-run: " << error.what() << '\n';
        return internal_error;
    }
}
