#include "scheduler/engines/run_setup.hpp"

#include "base/check.hpp"
#include "base/protection_keys.hpp"
#include "launch/open_mpi_variables.hpp"
#include "launch/prepared_program.hpp"
#include "launch/program/preload.hpp"
#include "scheduler/engines/printed.hpp"
#include "scheduler/judgement/gather_facts.hpp"
#include "scheduler/judgement/judgement.hpp"
#include "scheduler/judgement/open_decisions.hpp"
#include "transport/followed_main.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <dlfcn.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace dampi::scheduler {

using base::Rank;
using launch::Job;
using launch::RankEnd;
using transport::memory::Area;
using Clock = std::chrono::steady_clock;

namespace {

// How long nothing may happen while something that was decided has not come: several times what the longest run that
// came to its end has lasted in all, and more than a busy machine makes of nothing.
constexpr std::chrono::milliseconds least_doubt_limit{10'000};
constexpr std::chrono::milliseconds unknown_doubt_limit{60'000};  // without such a run

/// For twenty times as long as a whole run takes, so that no pause of the machine is taken for a rank's. As long as no
/// run has come to its end, nothing is known of how long a rank computes.
std::optional<std::chrono::milliseconds> learned_hang_limit(std::chrono::milliseconds longest_run) {
    constexpr std::chrono::milliseconds least{15'000};
    return longest_run.count() == 0 ? std::nullopt : std::optional(std::max(least, 20 * longest_run));
}

/// Many times as long: only that the sweep comes to its end depends on it, for what is said then is a doubt.
std::optional<std::chrono::milliseconds> learned_run_limit(std::chrono::milliseconds longest_run) {
    constexpr std::chrono::milliseconds least{30'000};
    return longest_run.count() == 0 ? std::nullopt : std::optional(std::max(least, 100 * longest_run));
}

std::vector<RankEnd> ends_of(const Job& job) {
    std::vector<RankEnd> ends;
    for (int rank = 0; rank < job.processes(); ++rank) {
        ends.push_back(job.end_of(rank));
    }
    return ends;
}

/// What the ranks must follow beside epochs: only what the program can need.
std::uint32_t marks_for(const launch::Program& program, clocks::Protocol protocol, int processes) {
    constexpr int most_processes = 64;  // with marks nearly each message has a clock of its own, and all are kept
    if (protocol != clocks::Protocol::vector || processes > most_processes) {
        return 0;
    }
    if (program.mpi_at_run_time) {
        return transport::mark_postings | transport::mark_buffered | transport::mark_windows |
               transport::marks_doubtful;
    }
    std::uint32_t marks = 0;
    for (std::string function : program.mpi_functions) {
        std::transform(function.begin(), function.end(), function.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        const auto has = [&](std::string_view part) { return function.find(part) != std::string::npos; };
        marks |= has("rsend") ? transport::mark_postings : 0U;
        marks |= has("bsend") ? transport::mark_buffered : 0U;
        // Between fences only what a rank's other calls do in its own memory ends before the fence (window_uses.hpp).
        marks |= has("win_lock") || has("win_fence") || has("win_post") ? transport::mark_windows : 0U;
        marks |= has("mpi_win_") ? transport::marks_doubtful : 0U;
    }
    return marks;
}

std::vector<launch::TransportChoice> transport_choices(const LocalEngineSettings& settings) {
    return launch::transport_choices(settings.program, settings.environment, settings.mpi_library.patched);
}

/// That keeps others from memory that is closed to the program, by taking its rights from the whole process. None where
/// it cannot be had.
std::optional<launch::TransportChoice> choice_for_closed_memory(const LocalEngineSettings& settings,
                                                                const std::vector<launch::TransportChoice>& choices) {
    const bool has_windows = settings.program.has_windows;
    if (settings.program.mpi_at_run_time ||
        (has_windows && (base::has_protection_keys() || settings.mpi_library.patched))) {
        return std::nullopt;
    }
    launch::TransportChoice choice =
        has_windows ? launch::choice_for_accesses_by_messages(settings.program, choices, settings.environment)
                    : launch::choice_for_closed_memory(choices, settings.environment);
    return choice.value.empty() ? std::nullopt : std::optional(std::move(choice));
}

bool has_decoder() {
    void* const decoder = ::dlopen(launch::decoder_library, RTLD_LAZY);
    if (decoder != nullptr) {
        ::dlclose(decoder);
    }
    return decoder != nullptr;
}

/// Of what belongs to its run.
std::string name_of(const replay::Interleaving& interleaving) { return fmt::format("{:06}", interleaving.number); }

bool any_taken(const std::vector<RankEnd>& ends) {
    return std::any_of(ends.begin(), ends.end(), [](const RankEnd& end) { return end.how == RankEnd::How::taken; });
}

/// Where a run's time went until its processes had ended. What the ranks noted is believed only as far as it fits.
replay::RunParts parts_of(const transport::RunView& run, Clock::time_point begin, Clock::time_point end) {
    using transport::Moment;
    const auto last = [&](Moment moment, Clock::time_point at_least) {
        auto result = at_least;
        for (Rank rank = 0; rank < static_cast<Rank>(run.processes()); ++rank) {
            const auto then = run.time_of(rank, moment);
            result = then ? std::clamp(*then, result, end) : end;
        }
        return result;
    };
    const auto in_init = last(Moment::init_entered, begin);
    const auto in_program = last(Moment::init_left, in_init);
    const auto in_finalize = last(Moment::finalize_entered, in_program);
    const auto seconds = [](Clock::duration duration) { return std::chrono::duration<double>(duration).count(); };
    return {.launch = seconds(in_init - begin),
            .init = seconds(in_program - in_init),
            .program = seconds(in_finalize - in_program),
            .finalize = seconds(end - in_finalize)};
}

/// Copies of a process would be where the process is, and have done there what it did.
LocalEngineSettings without_copied_ranks(LocalEngineSettings settings) {
    settings.prepare = false;
    settings.snapshots = SnapshotUse::never;
    return settings;
}

struct SanitizerOptions {
    const char* variable;
    const char* ours;
};
constexpr std::array sanitizer_options{
    // gcc's runtime is a library, which refuses to come behind the layer unless it is told not to look.
    SanitizerOptions{"ASAN_OPTIONS", "verify_asan_link_order=0"},
    // It takes the operations that it is told of for threads, and would give them a second at the end of each rank.
    SanitizerOptions{"TSAN_OPTIONS", "atexit_sleep_ms=0"}};

/// The user's own options come last: they win.
std::string with_users(const SanitizerOptions& options,
                       const std::vector<std::pair<std::string, std::string>>& environment) {
    const char* users = std::getenv(options.variable);
    for (const auto& [name, value] : environment) {
        if (name == options.variable) {
            users = value.c_str();
        }
    }
    return users == nullptr ? options.ours : std::string(options.ours) + ":" + users;
}

bool is_full(const std::filesystem::path& directory) {
    struct statvfs state {};
    if (::statvfs(directory.c_str(), &state) != 0 || state.f_blocks == 0) {
        return false;
    }
    return (::geteuid() == 0 ? state.f_bfree : state.f_bavail) == 0;
}

constexpr const char* when_full = "free some space and start again; a sweep goes on with dampi-run --resume";

/// What a run shows while nothing can be written says nothing about the program: it may be what the program makes of
/// just that.
void require_room(const std::filesystem::path& output) {
    if (is_full(output)) {
        throw Error(fmt::format("there is no room left beside {}; {}", output.string(), when_full));
    }
}

}  // namespace

std::vector<bool> who_lives(const Job& job) {
    std::vector<bool> alive;
    for (int rank = 0; rank < job.processes(); ++rank) {
        alive.push_back(job.end_of(rank).how == RankEnd::How::running);
    }
    return alive;
}

bool somebody_died(const Job& job, const transport::RunView& run) {
    for (int rank = 0; rank < job.processes(); ++rank) {
        if (job.end_of(rank).how != RankEnd::How::running && run.phase(rank) != transport::Phase::finalized) {
            return true;
        }
    }
    return false;
}

bool watches_windows(const launch::Program& program) {
    return program.has_windows && !program.sanitized && base::has_protection_keys() && has_decoder();
}

bool can_watch_buffers(const LocalEngineSettings& settings, replay::EngineKind engine) {
    const bool has_windows = settings.program.has_windows || settings.program.mpi_at_run_time;
    const bool closes_all = engine == replay::EngineKind::distributed && !base::has_protection_keys();
    return !settings.program.sanitized && has_decoder() &&
           (!closes_all || !has_windows || choice_for_closed_memory(settings, transport_choices(settings)));
}

RunSetup::RunSetup(LocalEngineSettings settings)
    : settings_(settings.fresh_directories.empty() ? std::move(settings) : without_copied_ranks(std::move(settings))),
      choices_(transport_choices(settings_)) {
    if (settings_.alone && !settings_.mpi_library.patched) {
        choices_.push_back(launch::choice_for_ranks_alone(settings_.environment));
    }
    if (settings_.program.thread_sanitized) {
        openmp_ = launch::openmp_order(settings_.program);
    }
    settings_.watches_windows = settings_.watches_windows && !settings_.alone && watches_windows(settings_.program);
    if (settings_.checks_buffers) {
        if (!has_decoder()) {
            throw Error(fmt::format("--check-buffers needs the library {}, which is not there; install libzydis4.0",
                                    launch::decoder_library));
        }
        if (auto choice = settings_.alone ? std::nullopt : choice_for_closed_memory(settings_, choices_)) {
            choices_.push_back(*std::move(choice));
        }
    }
}

RunSetup::~RunSetup() {
    if (!settings_.fresh_directories.empty()) {
        remove_tree(settings_.fresh_directories);
    }
}

std::vector<std::string> RunSetup::launching() const {
    std::vector<std::string> lines;
    const std::lock_guard lock(preparing_);
    const launch::MpiLibrary& mpi = settings_.mpi_library;
    lines.push_back(fmt::format("the MPI library is {}{}: {}", mpi.patched ? "the patched one, " : "the program's own",
                                mpi.patched        ? mpi.path.string()
                                : mpi.path.empty() ? std::string()
                                                   : ", " + mpi.path.string(),
                                mpi.why));
    if (settings_.launcher) {
        lines.push_back("ranks are started by " + settings_.launcher->command);
    }
    for (const auto& [mode, prepared] : prepared_) {
        const std::string obstacle = prepared.program->obstacle();
        std::string line = obstacle.empty() ? "ranks are forked from a prepared process"
                                            : "each rank is executed: the program cannot be prepared, " + obstacle;
        if (obstacle.empty() && !prepared.not_behind_init.empty()) {
            line += " before main: behind MPI_Init it cannot be, " + prepared.not_behind_init;
        } else if (obstacle.empty() && settings_.alone) {
            line += " behind MPI_Init";
        }
        if (lines.empty() || lines.back() != line) {
            lines.push_back(line);
        }
    }
    if (!settings_.launcher && settings_.program.mpi_at_run_time) {
        lines.emplace_back("each rank is executed: its program loads MPI at run time");
    } else if (!settings_.launcher && !settings_.program.contained_layer.empty()) {
        lines.emplace_back("each rank is executed: the layer is linked into its program");
    } else if (!settings_.launcher && settings_.program.sanitized) {
        lines.emplace_back("each rank is executed: its program is built with a sanitizer");
    } else if (!settings_.launcher && settings_.program.reads_environ) {
        lines.emplace_back("each rank is executed: its program reads `environ`, where constructors would see no rank");
    } else if (!settings_.prepare && !settings_.launcher) {
        lines.emplace_back(settings_.fresh_directories.empty() ? "each rank is executed (--no-prepare)"
                                                               : "each rank is executed (--fresh-dir)");
    }
    for (const launch::TransportChoice& choice : choices_) {
        lines.push_back(choice.value.empty() ? fmt::format("{} is left alone: {}", choice.name, choice.why)
                                             : fmt::format("{}={}: {}", choice.name, choice.value, choice.why));
    }
    return lines;
}

bool RunSetup::can_be_prepared() const {
    // Sanitizers keep accounts of processes, threads and memory that forked ranks would carry on.
    return !settings_.launcher && !settings_.program.mpi_at_run_time && settings_.program.contained_layer.empty() &&
           !settings_.program.sanitized && !settings_.program.reads_environ;
}

launch::Rendezvous RunSetup::rendezvous_of(const replay::Interleaving& interleaving) const {
    return launch::rendezvous_for(interleaving.buffering, settings_.environment, settings_.mpi_library.patched);
}

Area RunSetup::make_area(const replay::Interleaving& interleaving, transport::memory::MemoryFile used) const {
    Area area = Area::create(static_cast<std::uint32_t>(settings_.processes), interleaving.decisions,
                             settings_.protocol, std::move(used));
    area.header().virtual_time = settings_.virtual_time ? 1 : 0;
    area.header().piggyback = static_cast<std::uint32_t>(settings_.piggyback);
    area.header().record_stacks = settings_.record_stacks ? 1 : 0;
    area.header().places_have_stacks = settings_.follows_main         ? transport::main_is_followed
                                       : settings_.places_have_stacks ? 1
                                                                      : 0;
    area.header().warns_unusual = settings_.warns_unusual ? 1 : 0;
    const bool checks = !settings_.follows_main && (settings_.checks_buffers || settings_.watches_windows);
    const bool notes = checks && settings_.checks_buffers && settings_.notes_unwatched;
    area.header().checks_buffers = notes    ? transport::checks_and_notes
                                   : checks ? transport::checks_where_it_can
                                            : transport::checks_no_buffers;
    area.header().free_seed = interleaving.free_seed;
    area.header().marks = marks_for(settings_.program, settings_.protocol, settings_.processes);
    const launch::Rendezvous rendezvous = rendezvous_of(interleaving);
    area.header().buffering = static_cast<std::uint32_t>(interleaving.buffering.kind());
    area.header().rendezvous_threshold = rendezvous.threshold;
    return area;
}

RunSetup::Prepared RunSetup::prepare(const launch::JobSpec& spec) const {
    using launch::PreparedProgram;
    Prepared result;
    if (settings_.alone) {
        const bool preloads = std::any_of(spec.environment.begin(), spec.environment.end(), [](const auto& variable) {
            return variable.first == launch::users_preload_variable;
        });
        result.not_behind_init =
            preloads ? "LD_PRELOAD is set" : launch::reaches_outside(settings_.program, launch::Reach::files);
        if (result.not_behind_init.empty()) {
            result.program = std::make_unique<PreparedProgram>(spec, PreparedProgram::Point::behind_init);
            result.not_behind_init = result.program->obstacle();
        }
    }
    if (!result.program || !result.not_behind_init.empty()) {
        result.program = std::make_unique<PreparedProgram>(spec);
    }
    return result;
}

std::unique_ptr<FreshDirectory> RunSetup::directory_for(const replay::Interleaving& interleaving,
                                                        const std::stop_token& stop) const {
    if (settings_.fresh_directories.empty()) {
        return nullptr;
    }
    return std::make_unique<FreshDirectory>(std::filesystem::current_path(),
                                            settings_.fresh_directories / name_of(interleaving), stop);
}

replay::RunRecord RunSetup::not_begun() {
    replay::RunRecord record;
    record.cut_short = true;
    return record;
}

launch::JobSpec RunSetup::job(const replay::Interleaving& interleaving, const Area& area,
                              const FreshDirectory* directory, const std::stop_token& stop) {
    const launch::Rendezvous rendezvous = rendezvous_of(interleaving);
    launch::JobSpec spec;
    spec.program = settings_.program.path;
    spec.argv0 = settings_.name;
    spec.arguments = settings_.arguments;
    spec.processes = settings_.processes;
    spec.environment = launch::transport_environment(choices_);
    if (!settings_.program.translation.empty()) {
        const auto open_mpis = launch::open_mpi_variables(settings_.processes, settings_.processes);
        spec.environment.insert(spec.environment.end(), open_mpis.begin(), open_mpis.end());
    }
    const char* preloaded = std::getenv("LD_PRELOAD");
    for (const auto& [name, value] : settings_.environment) {
        spec.environment.emplace_back(name, value);
        if (name == "LD_PRELOAD") {
            preloaded = value.c_str();
        }
    }
    if (!settings_.mpi_library.directory.empty()) {
        const std::string users_path = launch::users_library_path(settings_.environment);
        spec.environment.emplace_back("LD_LIBRARY_PATH", launch::library_path(settings_.mpi_library, users_path));
        if (!settings_.program.mpi_at_run_time) {  // whoever loads MPI later looks for it there
            spec.environment.emplace_back(launch::users_library_path_variable, users_path);
        }
    }
    spec.environment.insert(spec.environment.end(), rendezvous.settings.begin(), rendezvous.settings.end());
    const std::string users = preloaded == nullptr ? "" : preloaded;
    if (!users.empty()) {
        spec.environment.emplace_back(launch::users_preload_variable, users);
    }
    std::string ours;
    if (settings_.program.contained_layer.empty()) {
        const std::string translation = settings_.program.translation.preloaded();
        ours = (translation.empty() ? "" : translation + ":") + settings_.layer.string();
    }
    if (settings_.program.thread_sanitized) {
        ours += (ours.empty() ? "" : ":") + (settings_.layer.parent_path() / launch::openmp_library).string();
    }
    if (settings_.checks_buffers || settings_.watches_windows) {
        ours += (ours.empty() ? "" : ":") + std::string(launch::decoder_library);
    }
    if (!ours.empty() || !users.empty()) {
        spec.environment.emplace_back("LD_PRELOAD", launch::preload_list(ours, users));
    }
    if (settings_.program.mpi_at_run_time) {
        spec.environment.emplace_back(launch::late_variable, "1");
    }
    if (settings_.program.sanitized) {
        for (const SanitizerOptions& options : sanitizer_options) {
            spec.environment.emplace_back(options.variable, with_users(options, settings_.environment));
        }
        spec.separate_errors = !settings_.launcher;
        spec.same_addresses = settings_.program.thread_sanitized;  // each rank's is told of places in others
    }
    spec.run_environment.emplace_back(transport::memory::environment_variable, area.file().attach_path());
    if (can_be_prepared() && settings_.prepare) {
        const std::lock_guard lock(preparing_);
        auto& prepared = prepared_[interleaving.buffering];
        if (!prepared.program) {
            prepared = prepare(spec);
        }
        spec.prepared = prepared.program.get();
    }
    if (directory != nullptr) {
        spec.working_directory = directory->path();
        spec.run_environment.emplace_back("PWD", directory->path());
    }
    const std::string number = name_of(interleaving);
    spec.stdout_file = settings_.output / (number + ".out");
    spec.stderr_file = settings_.output / (number + ".err");
    spec.show_output = settings_.show_output;
    spec.launcher = settings_.launcher;
    spec.stop = stop;
    return spec;
}

EndingLimits RunSetup::ending_limits() const {
    using namespace std::chrono_literals;
    const std::chrono::milliseconds longest = longest_run_;
    return {.livelock = settings_.livelock_limit,
            .hang = !settings_.hang_limit                ? learned_hang_limit(longest)
                    : settings_.hang_limit->count() == 0 ? std::nullopt
                                                         : settings_.hang_limit,
            .run = settings_.hang_limit ? std::nullopt : learned_run_limit(longest),
            .doubt = longest == 0ms ? unknown_doubt_limit : std::max(least_doubt_limit, 5 * longest)};
}

bool RunSetup::decision_is_open(const Job& job, const transport::RunView& run,
                                const std::vector<replay::Decision>& decisions) {
    if (decisions.empty()) {
        return false;
    }
    RecordReader reader(run, lines_);
    reader.read();
    const OpenDecisions open = open_decisions(reader, decisions, ends_of(job));
    return open.first || open.cut_off;
}

replay::RunRecord RunSetup::conclude(Job& job, const launch::JobSpec& spec, const transport::RunView& run, RunEnd end,
                                     const std::function<void(RecordReader&)>& amend) {
    // Ranks that have been sent away count as ended by us.
    const std::vector<RankEnd> ends =
        end.merged ? std::vector<RankEnd>(static_cast<std::size_t>(job.processes())) : ends_of(job);
    std::vector<bool> may_have_begun;
    for (int rank = 0; rank < job.processes(); ++rank) {
        may_have_begun.push_back(job.may_have_begun(rank));
    }
    std::vector<launch::AbortRequest> aborts = job.abort_requests();
    aborts.insert(aborts.end(), end.aborts.begin(), end.aborts.end());
    const std::string launcher = job.launcher_state();
    job.kill_all();
    const auto over = Clock::now();
    if (const std::string failure = job.output_failure(); !failure.empty()) {
        throw Error(fmt::format("{}; {}", failure, when_full));
    }

    if (end.ending.reason == RunEnding::Reason::finished && !end.ending.cut_short && !end.stopped && !end.merged) {
        const auto lasted = std::chrono::duration_cast<std::chrono::milliseconds>(over - end.start);
        auto longest = longest_run_.load();
        while (lasted > longest && !longest_run_.compare_exchange_weak(longest, lasted)) {}
    }

    std::vector<SanitizersWords> sanitizers;
    for (int rank = 0; settings_.program.sanitized && rank < job.processes(); ++rank) {
        sanitizers.push_back(sanitizers_words(rank, job.errors_of(rank), settings_.program.path, openmp_, lines_));
    }
    RecordReader reader(run, lines_);
    if (!reader.read(spec.stop)) {
        return not_begun();
    }
    amend(reader);
    replay::RunRecord record = judge(gather_facts(reader, {.ends = ends,
                                                           .may_have_begun = std::move(may_have_begun),
                                                           .aborts = aborts,
                                                           .ending = end.ending,
                                                           .stacks = std::move(end.stacks),
                                                           .stderr_file = spec.stderr_file,
                                                           .sanitizers = std::move(sanitizers),
                                                           .late_start = settings_.program.mpi_at_run_time,
                                                           .message_leaks = settings_.message_leaks,
                                                           .good_exits = settings_.good_exits,
                                                           .wrappers = settings_.wrappers,
                                                           .finds_wrappers = settings_.finds_wrappers,
                                                           .decisions = std::move(end.decisions),
                                                           .stopped = end.stopped && end.ending.cut_short,
                                                           .merged = end.merged}));
    if (!record.violations.empty()) {
        require_room(settings_.output);
    }
    if (any_taken(ends)) {
        if (!end.stopped && record.violations.empty()) {
            throw Error("the launcher ended ranks, and nothing that is known of them explains it: " + launcher);
        }
        record.cut_short = true;  // what they would have done is not known
    }
    // Of ranks that ended before their time it is a matter of chance how much they had printed, and of a program that
    // is wrong, what.
    const bool to_its_end = end.ending.reason == RunEnding::Reason::finished && !record.cut_short && !end.stopped &&
                            record.violations.empty();
    if (settings_.compare_printed && to_its_end && !end.merged) {
        record.printed = digest_of_printed(spec.stdout_file);
    }
    record.parts = parts_of(run, end.start, over);
    record.parts.collection = std::chrono::duration<double>(Clock::now() - over).count();
    record.seconds = std::chrono::duration<double>(Clock::now() - end.begin).count();
    return record;
}

}  // namespace dampi::scheduler
