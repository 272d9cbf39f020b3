// See sweep_identity.hpp.
#include "scheduler/cli/sweep_identity.hpp"

#include "base/check.hpp"
#include "heuristics/bounds_serialization.hpp"
#include "replay/epoch_names.hpp"
#include "replay/serialization.hpp"
#include "scheduler/judgement/livelock.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

namespace dampi::replay {

template <>
struct LastValue<scheduler::ProgressKind> {
    static constexpr auto value = scheduler::ProgressKind::none;
};
template <>
struct LastValue<scheduler::KeptOutput> {
    static constexpr auto value = scheduler::KeptOutput::findings;
};
template <>
struct LastValue<scheduler::WorkersWish::Kind> {
    static constexpr auto value = scheduler::last_workers_kind;
};

}  // namespace dampi::replay

namespace boost::serialization {

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::Build& build, unsigned /*version*/) {
    auto& [version, dampi_run, layer] = build;
    dampi::replay::members(archive, version, dampi_run, layer);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::HostLine& line, unsigned /*version*/) {
    auto& [host, slots] = line;
    dampi::replay::members(archive, host, slots);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::SweepIdentity& identity, unsigned /*version*/) {
    auto& [build, name, program, program_fingerprint, mpi, mpi_library, mpi_library_fingerprint, arguments, processes,
           hosts, working_directory, clock, engine, may_hand_over, buffering, piggyback, explore_polls, bounds, seed,
           sample, virtual_time, fresh_directory, hang_limit, livelock_limit, message_leaks, warns_unusual,
           checks_buffers, good_exits, wrappers, launcher, settings, environment] = identity;
    dampi::replay::members(archive, build, name, program, program_fingerprint, mpi, mpi_library,
                           mpi_library_fingerprint, arguments, processes, hosts, working_directory, clock, engine,
                           may_hand_over, buffering, piggyback, explore_polls, bounds, seed, sample, virtual_time,
                           fresh_directory, hang_limit, livelock_limit, message_leaks, warns_unusual, checks_buffers,
                           good_exits, wrappers, launcher, settings, environment);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::WorkersWish& wish, unsigned /*version*/) {
    auto& [kind, count, hosts] = wish;
    dampi::replay::members(archive, kind, count, hosts);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::FreeOptions& options, unsigned /*version*/) {
    auto& [jobs, workers, worker_wait, worker_patience, max_interleavings, time_limit, stop_on_first, show_output,
           verbosity, progress, keep_output, order, baseline, suppressions, fail_on, expect, incomplete_ok, corpus,
           corpus_add] = options;
    dampi::replay::members(archive, jobs, workers, worker_wait, worker_patience, max_interleavings, time_limit,
                           stop_on_first, show_output, verbosity, progress, keep_output, order, baseline, suppressions,
                           fail_on, expect, incomplete_ok, corpus, corpus_add);
}

template <typename Archive>
void serialize(Archive& archive, dampi::scheduler::StoredSweep& sweep, unsigned /*version*/) {
    auto& [identity, options] = sweep;
    dampi::replay::members(archive, identity, options);
}

}  // namespace boost::serialization

namespace dampi::scheduler {

namespace {

/// A number of milliseconds as the option takes it.
std::string seconds_text(std::chrono::milliseconds time) { return fmt::format("{}", time.count() / 1000.0); }

std::string words_text(const std::vector<std::string>& words) {
    return words.empty() ? "none" : fmt::format("'{}'", fmt::join(words, "' '"));
}

std::string number_text(const std::optional<std::uint32_t>& number) {
    return number ? std::to_string(*number) : "none";
}

std::string loop_bound_text(const heuristics::SearchBoundSettings& bounds) {
    return bounds.loop_bound_automatic ? "auto" : number_text(bounds.loop_bound);
}

std::string patterns_text(const std::vector<heuristics::NamePattern>& patterns) {
    std::vector<std::string> words;
    for (const heuristics::NamePattern& pattern : patterns) {
        words.push_back(format(pattern));
    }
    return words_text(words);
}

std::string value_text(const std::optional<std::string>& value) { return value ? "'" + *value + "'" : "not set"; }

std::string hosts_text(const std::vector<HostLine>& hosts) {
    std::vector<std::string> words;
    for (const HostLine& each : hosts) {
        const std::string host = each.host.empty() ? "a node of Slurm's" : each.host;
        words.push_back(each.slots == 0 ? host : fmt::format("{}:{}", host, each.slots));
    }
    return words_text(words);
}

/// Of an allocation each may have other nodes: which ones is not the sweep's, but how many tasks each has.
std::vector<HostLine> hosts_that_matter(const Options& options) {
    std::vector<HostLine> hosts = options.hosts;
    for (HostLine& each : hosts) {
        each.host = options.hosts_by_slurm ? "" : each.host;
    }
    return hosts;
}

bool is_by_slurm(const std::vector<HostLine>& hosts) { return !hosts.empty() && hosts.front().host.empty(); }

/// Collects what differs.
class Comparison {
public:
    explicit Comparison(Compared compared) : elsewhere_(compared == Compared::elsewhere) {}

    template <typename Value, typename Text>
    void value(std::string_view what, const Value& then, const Value& now, Text text) {
        if (then != now) {
            found_.push_back(elsewhere_
                                 ? fmt::format("{} is {} in the sweep, and {} there", what, text(then), text(now))
                                 : fmt::format("{} was {} and is {}", what, text(then), text(now)));
        }
    }

    void flag(std::string_view what, bool then, bool now) {
        if (then != now) {
            found_.push_back(fmt::format("{} {} {}given and is{}", what, elsewhere_ ? "in the sweep is" : "was",
                                         then ? "" : "not ", now ? "" : " not"));
        }
    }

    void built(std::string_view what, const std::string& then, const std::string& now) {
        if (then != now) {
            found_.push_back(
                elsewhere_ ? fmt::format("{} is another one there (fingerprint {}, of the sweep {})", what, now, then)
                           : fmt::format("{} was built anew since (fingerprint {}, now {})", what, then, now));
        }
    }

    /// Variables by name; `what` stands before each name.
    void variables(std::string_view what, const std::map<std::string, std::string>& then,
                   const std::map<std::string, std::string>& now) {
        std::map<std::string, std::pair<std::optional<std::string>, std::optional<std::string>>> both;
        for (const auto& [name, value] : then) {
            both[name].first = value;
        }
        for (const auto& [name, value] : now) {
            both[name].second = value;
        }
        for (const auto& [name, values] : both) {
            value(fmt::format("{} {}", what, name), values.first, values.second, value_text);
        }
    }

    void build(const Build& then, const Build& now) {
        value("dampi", then.version, now.version, [](const std::string& text) { return "version " + text; });
        built("dampi-run", then.dampi_run, now.dampi_run);
        built("libdampi.so", then.layer, now.layer);
    }

    [[nodiscard]] std::vector<std::string> take() { return std::move(found_); }

private:
    const bool elsewhere_;
    std::vector<std::string> found_;
};

/// Later settings of a variable win.
std::map<std::string, std::string> by_name(const std::vector<std::pair<std::string, std::string>>& settings) {
    std::map<std::string, std::string> result;
    for (const auto& [name, value] : settings) {
        result[name] = value;
    }
    return result;
}

void refuse(const std::filesystem::path& directory, const std::vector<std::string>& differences) {
    if (!differences.empty()) {
        throw Error(fmt::format("the sweep in '{}' cannot go on, for it would not be the same: {}", directory.string(),
                                fmt::join(differences, "; ")));
    }
}

}  // namespace

Build own_build(const std::filesystem::path& layer) {
    return {.version = DAMPI_VERSION,
            .dampi_run = launch::build_fingerprint("/proc/self/exe"),
            .layer = launch::build_fingerprint(layer)};
}

std::map<std::string, std::string> variables_that_matter(const char* const* variables) {
    static constexpr std::array<std::string_view, 6> prefixes{"MPIR_", "MPICH_", "UCX_", "HWLOC_", "FI_", "OMP_"};
    static constexpr std::array<std::string_view, 2> names{"LD_PRELOAD", "LD_LIBRARY_PATH"};
    std::map<std::string, std::string> result;
    for (; variables != nullptr && *variables != nullptr; ++variables) {
        const std::string_view variable = *variables;
        const std::string_view name = variable.substr(0, variable.find('='));
        const bool matters = std::any_of(prefixes.begin(), prefixes.end(),
                                         [&](std::string_view each) { return name.starts_with(each); }) ||
                             std::find(names.begin(), names.end(), name) != names.end();
        if (matters && name.size() < variable.size()) {
            result.emplace(name, variable.substr(name.size() + 1));
        }
    }
    return result;
}

replay::Piggyback piggyback_of(const Options& options, const launch::Program& program) {
    const bool native = launch::exports(program.mpi_library, "dampi_mpich_interface");
    if (options.piggyback == replay::Piggyback::native && !native) {
        throw Error(
            program.mpi_library.empty()
                ? std::string("the native piggyback needs a patched MPI library, but which one the program uses "
                              "shows only when it runs: run it with --piggyback shared")
                : "the native piggyback needs a patched MPI library, which " + program.mpi_library.string() +
                      " is not: build one with build-mpich, or run the program with --piggyback shared");
    }
    return options.piggyback.value_or(native ? replay::Piggyback::native : replay::Piggyback::shared);
}

SweepIdentity identity_of(const Options& options, const launch::Program& program, const Build& build) {
    return {.build = build,
            .name = options.program,
            .program = program.path.string(),
            .program_fingerprint = program.fingerprint,
            .mpi = options.mpi,
            .mpi_library = program.mpi_library.string(),
            .mpi_library_fingerprint =
                program.mpi_library.empty() ? std::string() : launch::build_fingerprint(program.mpi_library),
            .arguments = options.arguments,
            .processes = options.processes,
            .hosts = hosts_that_matter(options),
            .working_directory = std::filesystem::current_path().string(),
            .clock = options.protocol(),
            .engine = options.engine.value_or(replay::EngineKind::distributed),
            .may_hand_over = options.may_hand_over,
            .buffering = options.buffering,
            .piggyback = piggyback_of(options, program),
            .explore_polls = options.explore_polls,
            .bounds = options.bounds,
            .seed = options.seed,
            .sample = options.sample,
            .virtual_time = options.virtual_time.value_or(false),
            .fresh_directory = options.fresh_directory,
            .hang_limit = options.hang_limit,
            .livelock_limit = options.livelock_limit.value_or(default_livelock_limit),
            .message_leaks = options.message_leaks,
            .warns_unusual = options.warns_unusual,
            .checks_buffers = options.checks_buffers,
            .good_exits = options.good_exits,
            .wrappers = options.wrappers,
            .launcher = options.launcher,
            .settings = options.environment,
            .environment = variables_that_matter(environ)};
}

FreeOptions free_options_of(const Options& options) {
    const auto name_of = [](const std::optional<std::filesystem::path>& file) {
        return file ? std::optional(file->string()) : std::nullopt;
    };
    return {.jobs = options.jobs,
            .workers = options.workers,
            .worker_wait = options.worker_wait,
            .worker_patience = options.worker_patience,
            .max_interleavings = options.max_interleavings,
            .time_limit = options.time_limit,
            .stop_on_first = options.stop_on_first,
            .show_output = options.show_output,
            .verbosity = options.verbosity,
            .progress = options.progress,
            .keep_output = options.keep_output,
            .order = options.order,
            .baseline = name_of(options.baseline),
            .suppressions = name_of(options.suppressions),
            .fail_on = options.fail_on,
            .expect = options.expect,
            .incomplete_ok = options.incomplete_ok,
            .corpus = name_of(options.corpus),
            .corpus_add = options.corpus_add};
}

std::vector<std::string> differences(const SweepIdentity& then, const SweepIdentity& now, Compared compared) {
    const auto as_it_is = [](const auto& value) { return value; };
    const auto quoted = [](const std::string& text) { return "'" + text + "'"; };
    Comparison comparison(compared);
    comparison.build(then.build, now.build);
    comparison.value("the program", then.program, now.program, quoted);
    if (then.program == now.program) {
        comparison.built(compared == Compared::elsewhere ? then.program : "the program", then.program_fingerprint,
                         now.program_fingerprint);
    }
    comparison.value("--mpi", then.mpi, now.mpi, quoted);
    comparison.value("the program's MPI library", then.mpi_library, now.mpi_library, quoted);
    if (then.mpi_library == now.mpi_library) {
        comparison.built("the program's MPI library", then.mpi_library_fingerprint, now.mpi_library_fingerprint);
    }
    comparison.value("the list of the program's arguments", then.arguments, now.arguments, words_text);
    comparison.value("-n", then.processes, now.processes, as_it_is);
    comparison.value("the list of --hosts", then.hosts, now.hosts, hosts_text);
    comparison.value("the working directory", then.working_directory, now.working_directory, quoted);
    comparison.value("--clock", then.clock, now.clock, replay::clock_name);
    comparison.value("--engine", then.engine, now.engine, replay::engine_name);
    comparison.value("--buffering", then.buffering, now.buffering, replay::buffering_word);
    comparison.value("--piggyback", then.piggyback, now.piggyback, replay::piggyback_name);
    comparison.value("--explore-polls", then.explore_polls, now.explore_polls,
                     [](const auto& polls) { return polls ? std::to_string(*polls) : "not given"; });
    comparison.value("--mixing-bound", then.bounds.mixing_bound, now.bounds.mixing_bound, number_text);
    comparison.value("--mixing-unit", then.bounds.mixing_unit, now.bounds.mixing_unit, heuristics::mixing_unit_name);
    comparison.value("--loop-bound", loop_bound_text(then.bounds), loop_bound_text(now.bounds), as_it_is);
    comparison.value("--explore", then.bounds.explore, now.bounds.explore, patterns_text);
    comparison.value("--skip", then.bounds.skip, now.bounds.skip, patterns_text);
    comparison.flag("--ignore-brackets", !then.bounds.brackets, !now.bounds.brackets);
    comparison.value("--seed", then.seed, now.seed, as_it_is);
    comparison.value("--sample", then.sample, now.sample,
                     [](const auto& sample) { return sample ? std::to_string(*sample) : "auto"; });
    comparison.value("the time", then.virtual_time, now.virtual_time,
                     [](bool is_virtual) { return is_virtual ? "virtual (--virtual-time)" : "real (--real-time)"; });
    comparison.flag("--fresh-dir", then.fresh_directory, now.fresh_directory);
    comparison.value("--hang-limit", then.hang_limit, now.hang_limit,
                     [](const auto& limit) { return limit ? seconds_text(*limit) : "not given"; });
    comparison.value("--livelock-limit", then.livelock_limit, now.livelock_limit, seconds_text);
    comparison.flag("--no-message-leaks", !then.message_leaks, !now.message_leaks);
    comparison.flag("--warn unusual", then.warns_unusual, now.warns_unusual);
    comparison.flag("--check-buffers", then.checks_buffers, now.checks_buffers);
    comparison.value("--exit-ok", then.good_exits, now.good_exits, [](const std::vector<int>& statuses) {
        return statuses.empty() ? "not given" : fmt::format("{}", fmt::join(statuses, ","));
    });
    comparison.value("--wrapper", then.wrappers, now.wrappers, words_text);
    comparison.value("--launcher", then.launcher, now.launcher,
                     [](const auto& launcher) { return launcher ? "'" + *launcher + "'" : "not given"; });
    comparison.variables("--env", by_name(then.settings), by_name(now.settings));
    comparison.variables("the environment variable", then.environment, now.environment);
    return comparison.take();
}

void require_same_sweep(const std::filesystem::path& directory, const SweepIdentity& then, const SweepIdentity& now) {
    refuse(directory, differences(then, now));
}

Options restore(const StoredSweep& stored, const Options& now) {
    const SweepIdentity& identity = stored.identity;
    const FreeOptions& then = stored.options;
    const auto given = [&](const char* option) { return now.given.contains(option); };
    const auto path_of = [](const std::optional<std::string>& name) {
        return name ? std::optional(std::filesystem::path(*name)) : std::nullopt;
    };
    Options options;
    options.processes = identity.processes;
    options.hosts_by_slurm = is_by_slurm(identity.hosts);
    options.hosts = options.hosts_by_slurm && now.hosts_by_slurm ? now.hosts : identity.hosts;
    options.output = now.output;
    options.resume = now.resume;
    options.clock = identity.clock;
    options.engine = identity.engine;
    options.may_hand_over = identity.may_hand_over;
    options.explore_polls = identity.explore_polls;
    options.bounds = identity.bounds;
    options.seed = identity.seed;
    options.sample = identity.sample;
    options.buffering = identity.buffering;
    options.piggyback = identity.piggyback;
    options.virtual_time = identity.virtual_time;
    options.fresh_directory = identity.fresh_directory;
    options.hang_limit = identity.hang_limit;
    options.livelock_limit = identity.livelock_limit;
    options.environment = identity.settings;
    options.launcher = identity.launcher;
    options.mpi = identity.mpi;
    options.message_leaks = identity.message_leaks;
    options.warns_unusual = identity.warns_unusual;
    options.checks_buffers = identity.checks_buffers;
    options.good_exits = identity.good_exits;
    options.wrappers = identity.wrappers;
    options.program = identity.name;
    options.arguments = identity.arguments;
    options.given = now.given;
    // Of this command's report, not of the sweep.
    options.junit = now.junit;
    options.sarif = now.sarif;
    options.code_quality = now.code_quality;
    options.trace = now.trace;
    options.gen_suppressions = now.gen_suppressions;
    options.minimize = now.minimize;
    options.explain_order = now.explain_order;

    options.baseline = given("--baseline") ? now.baseline : path_of(then.baseline);
    options.suppressions = given("--suppressions") ? now.suppressions : path_of(then.suppressions);
    options.fail_on = given("--fail-on") ? now.fail_on : then.fail_on;
    options.expect = given("--expect") ? now.expect : then.expect;
    options.incomplete_ok = now.incomplete_ok || then.incomplete_ok;
    options.corpus = given("--corpus") ? now.corpus : path_of(then.corpus);
    options.corpus_add = now.corpus_add || then.corpus_add;
    options.jobs = given("--jobs") ? now.jobs : then.jobs;
    options.workers = given("--workers") ? now.workers : then.workers;
    options.worker_patience = given("--worker-patience") ? now.worker_patience : then.worker_patience;
    options.worker_wait = given("--worker-wait") ? now.worker_wait : then.worker_wait;
    options.max_interleavings = given("--max-interleavings") ? now.max_interleavings : then.max_interleavings;
    options.time_limit = given("--time-limit") ? now.time_limit : then.time_limit;
    options.stop_on_first = now.stop_on_first || then.stop_on_first;
    options.show_output = now.show_output || then.show_output;
    options.verbosity = given("--verbose") || given("--quiet") ? now.verbosity : then.verbosity;
    options.progress = given("--progress") ? now.progress : then.progress;
    options.keep_output = given("--keep-output") ? now.keep_output : then.keep_output;
    options.order = given("--order") ? now.order : then.order;
    return options;
}

std::string header_bytes(const StoredSweep& sweep) {
    // The build can be read without understanding the rest.
    return replay::to_bytes(std::pair(sweep.identity.build, replay::to_bytes(sweep)));
}

StoredSweep read_header(const std::filesystem::path& directory, std::string_view bytes, const Build& build) {
    const auto [then, rest] = replay::from_bytes<std::pair<Build, std::string>>(bytes);
    Comparison comparison(Compared::later);
    comparison.build(then, build);
    refuse(directory, comparison.take());
    return replay::from_bytes<StoredSweep>(rest);
}

}  // namespace dampi::scheduler
