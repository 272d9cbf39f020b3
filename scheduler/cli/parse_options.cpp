// Parses the command line of dampi-run with CLI11; see options.hpp. CLI11 sees only the words before the
// program's name, so that it cannot take one of the program's own words for ours.
#include "scheduler/cli/parse_options.hpp"

#include "base/check.hpp"
#include "launch/launcher_command.hpp"
#include "launch/program/mpi_library.hpp"
#include "replay/decision_file.hpp"
#include "replay/epoch_names.hpp"
#include "scheduler/cli/option_table.hpp"
#include "scheduler/cli/slurm_allocation.hpp"
#include "scheduler/letters_to_change.hpp"
#include "scheduler/report/explanation.hpp"
#include "scheduler/report/kind_names.hpp"
#include "scheduler/report/not_checked.hpp"
#include "scheduler/report/pass_criteria.hpp"
#include "scheduler/scale/scale_bounds.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace dampi::scheduler {

namespace {

constexpr const char* footer =
    "Exit status:\n"
    "  0  verified: no violation, and nothing was left out (with --clock lamport: as far as those can tell)\n"
    "  1  a violation was found\n"
    "  2  usage or environment error (program not found, not an MPI program, another MPI library)\n"
    "  3  no violation, but something was left out (a bound, an interrupt, calls not modelled)\n"
    "  4  internal error\n"
    "\n"
    "Everything from PROGRAM on belongs to the program.";

namespace option_table = dampi::scheduler::option_table;
using option_table::Form;

/// What is typed for an option of this form. It is converted here, not by CLI11, for the sake of the sentences.
template <Form form>
struct Typed {};
template <>
struct Typed<Form::value> {
    std::string word;
};
template <>
struct Typed<Form::list> {
    std::vector<std::string> words;
};
template <>
struct Typed<Form::flag> {
    bool given = false;
};

template <>
struct Typed<Form::explanation> {
    std::string word;
};

/// The values as the user typed them.
struct Words {
#define OPTION(name, form, ...) Typed<Form::form> name;
#include "scheduler/cli/options.def"
#undef OPTION
};

/// CLI11 does not know of the program and its arguments, so the line of the usage is our own.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* /*app*/, std::string /*name*/) const override {
        return "Usage: dampi-run -n N [options] PROGRAM [ARGUMENTS...]\n"
               "       dampi-run -n N --replay FILE [options] PROGRAM [ARGUMENTS...]\n"
               "       dampi-run --resume DIR [options]\n"
               "       dampi-run --suite FILE [options]\n"
               "       dampi-run --explain [KIND]\n";
    }
};

CLI::Option* declare(CLI::App& app, const option_table::Line& line, Typed<Form::value>& typed) {
    return app.add_option(std::string(line.words), typed.word)
        ->option_text(std::string(line.value))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

CLI::Option* declare(CLI::App& app, const option_table::Line& line, Typed<Form::list>& typed) {
    return app.add_option(std::string(line.words), typed.words)
        ->option_text(std::string(line.value))
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* declare(CLI::App& app, const option_table::Line& line, Typed<Form::flag>& typed) {
    return app.add_flag(std::string(line.words), typed.given)->disable_flag_override();
}

CLI::Option* declare(CLI::App& app, const option_table::Line& line, Typed<Form::explanation>& typed) {
    return app.add_option(std::string(line.words), typed.word)
        ->option_text(std::string(line.value))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

CLI::Option* declare(CLI::App& app, const option_table::Line& line, Typed<Form::help>& /*typed*/) {
    return app.set_help_flag(std::string(line.words));
}

CLI::Option* declare(CLI::App& app, const option_table::Line& line, Typed<Form::version>& /*typed*/) {
    return app.set_version_flag(std::string(line.words), std::string("dampi-run ") + DAMPI_VERSION);
}

void declare_options(CLI::App& app, Words& words) {
    const option_table::Line* line = option_table::lines.data();
#define OPTION(name, ...)                                           \
    declare(app, *line, words.name)                                 \
        ->description(std::string(line->help))                      \
        ->group(std::string(option_table::name_of(line->section))); \
    ++line;
#include "scheduler/cli/options.def"
#undef OPTION
}

/// "; the nearest is --jobs", where one is near.
std::string nearest_option(const CLI::App& app, const std::string& name) {
    constexpr std::size_t few_letters = 3;
    std::string nearest;
    std::size_t least = few_letters + 1;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& word : option->get_lnames()) {
            const std::size_t letters = letters_to_change(name, "--" + word);
            if (letters < least) {
                least = letters;
                nearest = "--" + word;
            }
        }
    }
    return nearest.empty() || name.size() <= 2 ? "" : "; the nearest is " + nearest;
}

/// Whether a known option takes a value; unknown ones are a usage error.
bool takes_value(CLI::App& app, const std::string& name) {
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option == nullptr) {
        throw Error("unknown option '" + name + "'" + nearest_option(app, name));
    }
    return option->get_items_expected_max() > 0;
}

constexpr std::string_view explain_word = "--explain";
constexpr std::string_view all_kinds_word = "list";

std::string explained(const std::string& word) {
    return word == all_kinds_word     ? list_of_kinds()
           : word == not_checked_word ? what_is_not_checked()
                                      : explanation(kind_called(word));
}

/// Splits the words at the program's name. Returns our own, in a form that CLI11 cannot misread: a value
/// is always a word of its own.
std::vector<std::string> split_off_program(CLI::App& app, const std::vector<std::string>& words, Options& options) {
    std::vector<std::string> ours;
    std::size_t i = 0;
    const auto needed_value = [&](const std::string& name) {
        if (i >= words.size()) {
            throw Error("the option " + name + " needs a value");
        }
        ours.push_back(words[i++]);
    };
    while (i < words.size()) {
        const std::string& word = words[i];
        if (word == "--") {
            ++i;
            break;
        }
        if (word.size() < 2 || word[0] != '-') {
            break;
        }
        ++i;
        if (word == "-genv" || word == "-env" || word == "-x") {
            throw Error("unknown option '" + word +
                        "': the ranks' environment is dampi-run's own, with --env NAME=VALUE");
        }
        if (word == "-np") {  // as mpiexec's users type it
            ours.emplace_back("-n");
            needed_value(word);
        } else if (word[1] == '-') {
            const std::size_t equals = word.find('=');
            const std::string name = word.substr(0, equals);
            const bool valued = takes_value(app, name);
            if (!valued && equals != std::string::npos) {
                throw Error("the option " + name + " takes no value");
            }
            ours.push_back(name);
            if (valued && equals != std::string::npos) {
                ours.push_back(word.substr(equals + 1));
            } else if (name == explain_word && (i == words.size() || words[i].starts_with('-'))) {
                ours.emplace_back(all_kinds_word);
            } else if (valued) {
                needed_value(name);
            }
        } else {
            for (std::size_t at = 1; at < word.size(); ++at) {  // flags may be joined: -vn4
                const std::string name = std::string("-") + word[at];
                const bool valued = takes_value(app, name);
                ours.push_back(name);
                if (valued && at + 1 < word.size()) {
                    ours.push_back(word.substr(at + 1));
                } else if (valued) {
                    needed_value(name);
                }
                if (valued) {
                    break;
                }
            }
        }
    }
    if (i < words.size()) {
        options.program = words[i];
        options.arguments.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
    }
    return ours;
}

/// "auto, none or " for an option that takes these words besides a number; nothing for most.
std::string words_besides(const std::string& name) {
    const auto line = std::find_if(option_table::lines.begin(), option_table::lines.end(),
                                   [&](const auto& each) { return option_table::long_word(each) == name; });
    std::string all;
    std::istringstream values{line == option_table::lines.end() ? std::string() : std::string(line->value)};
    for (std::string value; std::getline(values, value, '|');) {
        if (std::islower(static_cast<unsigned char>(value.front())) != 0) {
            all += (all.empty() ? "" : ", ") + value;
        }
    }
    return all.empty() ? all : all + " or ";
}

/// `least` is 0 or 1.
template <typename Integer>
Integer whole_number(const std::string& name, const std::string& word, Integer least,
                     Integer most = std::numeric_limits<Integer>::max()) {
    Integer number = 0;
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data(), end, number);
    if (error == std::errc::result_out_of_range && stopped == end && word[0] != '-') {
        throw Error("the number '" + word + "' for " + name + " is too large");
    }
    if (error != std::errc{} || stopped != end || number < least) {
        throw Error("the option " + name + " needs " + words_besides(name) + "a whole number from " +
                    std::to_string(least) + " on, not '" + word + "'");
    }
    if (number > most) {
        throw Error("the number '" + word + "' for " + name + " is too large: at most " + std::to_string(most));
    }
    return number;
}

std::chrono::milliseconds positive_seconds(const std::string& name, const std::string& word) {
    double seconds = 0;
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data(), end, seconds, std::chars_format::fixed);
    if (error != std::errc{} || stopped != end || !std::isfinite(seconds) || seconds <= 0) {
        throw Error("the option " + name + " needs " + words_besides(name) + "a number of seconds above 0, not '" +
                    word + "'");
    }
    constexpr double most = 1e10;  // three centuries: no overflow in any clock's arithmetic
    if (seconds > most) {
        throw Error("the number '" + word + "' for " + name + " is too large");
    }
    return std::chrono::milliseconds{std::max<std::int64_t>(1, std::llround(seconds * 1000))};
}

std::pair<std::string, std::string> environment_entry(const std::string& word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw Error("the option --env needs NAME=VALUE, not '" + word + "'");
    }
    return {word.substr(0, equals), word.substr(equals + 1)};
}

/// The value that belongs to one of the words; `what` names them in the sentence for the user.
template <typename Value>
Value one_of(const std::string& name, const std::string& word, const std::map<std::string_view, Value>& values,
             const std::string& what) {
    const auto found = values.find(word);
    if (found == values.end()) {
        throw Error("the option " + name + " needs " + what + ", not '" + word + "'");
    }
    return found->second;
}

/// A sweep that goes on has its program and options already; only these may be other than they were.
void check_alone_with_resume(const std::set<std::string>& given) {
    static const std::set<std::string> free{"--resume",          "--jobs",
                                            "--workers",         "--worker-wait",
                                            "--worker-patience", "--max-interleavings",
                                            "--time-limit",      "--stop-on-first",
                                            "--order",           "--verbose",
                                            "--quiet",           "--show-output",
                                            "--progress",        "--keep-output",
                                            "--snapshots",       "--merge-states",
                                            "--junit",           "--sarif",
                                            "--code-quality",    "--baseline",
                                            "--fail-on",         "--expect",
                                            "--incomplete-ok",   "--open",
                                            "--suppressions",    "--gen-suppressions",
                                            "--trace",           "--corpus",
                                            "--corpus-add",      "--minimize",
                                            "--explain-order"};
    for (const std::string& option : given) {
        if (!free.contains(option)) {
            throw Error("the option " + option +
                        " cannot be changed with --resume: leave it out, or give the whole command, with the program, "
                        "to have it compared with that of the sweep");
        }
    }
}

/// The sweeps of a suite have programs and options of their own.
void check_alone_with_suite(const Options& options) {
    static const std::set<std::string> free{"--suite",         "--output",  "--time-limit", "--max-interleavings",
                                            "--jobs",          "--open",    "--junit",      "--sarif",
                                            "--code-quality",  "--trace",   "--cache",      "--suppressions",
                                            "--baseline",      "--fail-on", "--corpus",     "--minimize",
                                            "--incomplete-ok", "--quiet",   "--verbose"};
    for (const std::string& option : options.given) {
        if (!free.contains(option)) {
            throw Error("the option " + option + " cannot be given with --suite: write it into the suite's file");
        }
    }
    if (!options.program.empty()) {
        throw Error("with --suite no program is given: the suite's file says which");
    }
}

/// The words for one_of().
template <typename Value>
std::map<std::string_view, Value> by_name(std::initializer_list<Value> values, std::string_view (*name)(Value)) {
    std::map<std::string_view, Value> all;
    for (const Value value : values) {
        all.emplace(name(value), value);
    }
    return all;
}

std::filesystem::path file_name(const char* option, const std::string& word) {
    if (word.empty()) {
        throw Error(std::string("the option ") + option + " needs the name of a file");
    }
    return word;
}

// What each option makes of its words, in the order of the table. One that stands in the table and has no function
// here, or the other way round, does not compile.

void take_processes(const std::string& word, Options& options) { options.processes = whole_number<int>("-n", word, 1); }

void take_environment(const std::vector<std::string>& words, Options& options) {
    for (const std::string& entry : words) {
        options.environment.push_back(environment_entry(entry));
    }
}

void take_launcher(const std::string& word, Options& options) {
    [[maybe_unused]] const auto sensible = launch::launcher_words(word, options.processes, {"rank"});
    options.launcher = word;
}

void take_mpi(const std::string& word, Options& options) {
    if (word.empty()) {
        throw Error("the option --mpi needs auto, native, or the directory of a patched MPI library");
    }
    const bool no_directory = word == launch::automatic_mpi || word == launch::native_mpi;
    options.mpi = no_directory ? word : std::filesystem::absolute(word).lexically_normal().string();
}

void take_no_prepare(Options& options) { options.prepare = false; }

void take_fresh_dir(Options& options) { options.fresh_directory = true; }

void take_jobs(const std::string& word, Options& options) {
    if (word != "auto") {
        options.jobs = whole_number<int>("--jobs", word, 1, most_jobs);
    }
}

void take_workers(const std::string& word, Options& options) {
    constexpr std::string_view by_ssh = "ssh:";
    constexpr std::string_view by_slurm = "slurm:";
    if (word == "none") {
        return;
    }
    WorkersWish wish;
    if (word.starts_with(by_ssh) && word.size() > by_ssh.size()) {
        wish = {.kind = WorkersWish::Kind::ssh, .hosts = word.substr(by_ssh.size())};
    } else if (word.starts_with(by_slurm)) {
        wish = {
            .kind = WorkersWish::Kind::slurm,
            .count = whole_number<std::uint32_t>("--workers slurm:", word.substr(by_slurm.size()), 1, most_workers)};
    } else if (!word.empty() && word.find_first_not_of("0123456789") == std::string::npos) {
        wish.count = whole_number<std::uint32_t>("--workers", word, 0, most_workers);
    } else {
        throw Error("the option --workers needs a number, ssh:FILE, slurm:N or none, not '" + word + "'");
    }
    options.workers = wish;
}

void take_hosts(const std::string& word, Options& options) {
    if (word != "none") {
        options.hosts = parse_hosts(word, "--hosts");
    }
}

void take_hostfile(const std::string& word, Options& options) {
    options.hosts = read_hosts(file_name("--hostfile", word), "--hostfile");
}

void take_worker_wait(const std::string& word, Options& options) {
    options.worker_wait = positive_seconds("--worker-wait", word);
}

void take_worker_patience(const std::string& word, Options& options) {
    options.worker_patience = positive_seconds("--worker-patience", word);
}

void take_suite(const std::string& word, Options& options) { options.suite = file_name("--suite", word); }

void take_resume(const std::string& word, Options& options) {
    if (word.empty()) {
        throw Error("the option --resume needs the name of a sweep's directory");
    }
    options.resume = word;
    options.output = word;
}

void take_replay(const std::string& word, Options& options) {
    if (word.empty()) {
        throw Error("the option --replay needs the name of a decision file");
    }
    options.replay = word;
    options.output = "dampi-replay";  // not over the sweep that the file comes from
}

void take_max_interleavings(const std::string& word, Options& options) {
    if (word != "none") {  // which lifts the bound of a sweep that goes on
        options.max_interleavings = whole_number<std::uint64_t>("--max-interleavings", word, 1);
    }
}

void take_time_limit(const std::string& word, Options& options) {
    if (word != "none") {
        options.time_limit = positive_seconds("--time-limit", word);
    }
}

void take_hang_limit(const std::string& word, Options& options) {
    options.hang_limit = std::nullopt;
    if (word == "none") {
        options.hang_limit = std::chrono::milliseconds(0);
    } else if (word != "auto") {
        options.hang_limit = positive_seconds("--hang-limit", word);
    }
}

void take_livelock_limit(const std::string& word, Options& options) {
    options.livelock_limit = positive_seconds("--livelock-limit", word);
}

void take_stop_on_first(Options& options) { options.stop_on_first = true; }

void take_clock(const std::string& word, Options& options) {
    options.clock = replay::clock_of(word);
    if (!options.clock && word != "auto") {
        throw Error("the option --clock needs auto, vector or lamport, not '" + word + "'");
    }
}

void take_engine(const std::string& word, Options& options) {
    options.engine = replay::engine_of(word);
    if (!options.engine && word != "auto") {
        throw Error("the option --engine needs auto, central or distributed, not '" + word + "'");
    }
    if (options.engine == replay::EngineKind::central && options.launcher) {
        throw Error("the options --engine central and --launcher exclude each other");
    }
}

void take_snapshots(const std::string& word, Options& options) {
    options.snapshots = one_of<SnapshotUse>(
        "--snapshots", word,
        {{"auto", SnapshotUse::automatic}, {"never", SnapshotUse::never}, {"always", SnapshotUse::always}},
        "auto, never or always");
}

void take_merge_states(const std::string& word, Options& options) {
    options.merge_states = one_of<MergeUse>("--merge-states", word,
                                            {{"auto", MergeUse::automatic},
                                             {"never", MergeUse::never},
                                             {"always", MergeUse::always},
                                             {"check", MergeUse::check}},
                                            "auto, never, always or check");
}

void take_explore_polls(const std::string& word, Options& options) {
    options.explore_polls =
        word == "auto"
            ? std::nullopt
            : std::optional(whole_number<std::uint32_t>("--explore-polls", word, 0, replay::most_explored_polls));
}

void take_buffering(const std::string& word, Options& options) {
    const auto modes = replay::bufferings_of(word);
    if (!modes) {
        throw Error(
            "the option --buffering needs both, native, zero, infinite or all, or a number of bytes from 1 on, "
            "not '" +
            word + "'");
    }
    options.buffering = *modes;
}

void take_piggyback(const std::string& word, Options& options) {
    options.piggyback = replay::piggyback_of(word);
    if (!options.piggyback && word != "auto") {
        throw Error("the option --piggyback needs auto, shared or native, not '" + word + "'");
    }
}

void take_order(const std::string& word, Options& options) {
    using heuristics::Order;
    options.order = one_of<Order>(
        "--order", word,
        by_name({Order::newest, Order::depth_first, Order::breadth_first, Order::random}, heuristics::order_name),
        "newest, dfs, bfs or random");
}

void take_seed(const std::string& word, Options& options) {
    options.seed = whole_number<std::uint64_t>("--seed", word, 0);
}

void take_sample(const std::string& word, Options& options) {
    if (word != "auto") {
        options.sample = whole_number<std::uint32_t>("--sample", word, 0, 1'000'000);
    }
}

void take_virtual_time(Options& options) { options.virtual_time = true; }

void take_real_time(Options& options) { options.virtual_time = false; }

void take_no_message_leaks(Options& options) { options.message_leaks = false; }

void take_warn(const std::vector<std::string>& words, Options& options) {
    for (const std::string& word : words) {
        if (word != "unusual") {
            throw Error("the option --warn knows one word, 'unusual', and not '" + word + "'");
        }
        options.warns_unusual = true;
    }
}

void take_check_buffers(Options& options) { options.checks_buffers = true; }

void take_scale_bounds(const std::string& file, Options& options) {
    // The ranks' layer reads it there (piggyback/rank/arguments/scale_bounds.hpp).
    options.environment.emplace_back("DAMPI_SCALE_BOUNDS", scale::words_of(scale::read_scale_bounds(file).bounds));
}

/// Words with commas between them.
std::vector<std::string> list_of(const std::string& words) {
    std::vector<std::string> all;
    std::istringstream stream(words + ",");
    for (std::string word; std::getline(stream, word, ',');) {
        all.push_back(word);
    }
    return all;
}

void take_exit_ok(const std::string& words, Options& options) {
    for (const std::string& word : list_of(words)) {
        options.good_exits.push_back(whole_number<int>("--exit-ok", word, 1, 255));
    }
}

void take_wrapper(const std::vector<std::string>& names, Options& options) {
    for (const std::string& name : names) {
        if (name.empty()) {
            throw Error("the option --wrapper needs the name of a function");
        }
        options.wrappers.push_back(name);
    }
}

void take_mixing_bound(const std::string& word, Options& options) {
    if (word != "none") {
        options.bounds.mixing_bound =
            whole_number<std::uint32_t>("--mixing-bound", word, 0, heuristics::Room::unlimited - 1);
    }
}

void take_mixing_unit(const std::string& word, Options& options) {
    using heuristics::MixingUnit;
    options.bounds.mixing_unit = one_of<MixingUnit>(
        "--mixing-unit", word, by_name({MixingUnit::epochs, MixingUnit::zones}, heuristics::mixing_unit_name),
        "epochs or zones");
}

void take_loop_bound(const std::string& word, Options& options) {
    options.bounds.loop_bound_automatic = word == "auto";
    if (word != "auto" && word != "none") {
        options.bounds.loop_bound = whole_number<std::uint32_t>("--loop-bound", word, 1);
    }
}

void take_explore(const std::vector<std::string>& words, Options& options) {
    for (const std::string& name : words) {
        options.bounds.explore.push_back(heuristics::parse_name_pattern("--explore", name));
    }
}

void take_skip(const std::vector<std::string>& words, Options& options) {
    for (const std::string& name : words) {
        options.bounds.skip.push_back(heuristics::parse_name_pattern("--skip", name));
    }
}

void take_ignore_brackets(Options& options) { options.bounds.brackets = false; }

void take_output(const std::string& word, Options& options) {
    if (word.empty()) {
        throw Error("the option -o needs the name of a directory");
    }
    options.output = word;
}

void take_keep_output(const std::string& word, Options& options) {
    options.keep_output = one_of<KeptOutput>(
        "--keep-output", word, {{"all", KeptOutput::all}, {"findings", KeptOutput::findings}}, "all or findings");
}

void take_junit(const std::string& word, Options& options) { options.junit = file_name("--junit", word); }

void take_sarif(const std::string& word, Options& options) { options.sarif = file_name("--sarif", word); }

void take_code_quality(const std::string& word, Options& options) {
    options.code_quality = file_name("--code-quality", word);
}

void take_trace(const std::string& word, Options& options) { options.trace = file_name("--trace", word); }

void take_baseline(const std::string& word, Options& options) { options.baseline = file_name("--baseline", word); }

void take_suppressions(const std::string& word, Options& options) {
    options.suppressions = file_name("--suppressions", word);
}

void take_gen_suppressions(Options& options) { options.gen_suppressions = true; }

void take_fail_on(const std::string& words, Options& options) {
    options.fail_on = list_of(words);
    for (const std::string& word : options.fail_on) {
        if (!is_fail_word(word)) {
            throw Error(
                "the option --fail-on needs all, new, a severity (error, portability, warning), or kinds of "
                "violations such as deadlock,leak/*, not '" +
                word + "'");
        }
        if (word == "new" && !options.baseline) {
            throw Error("--fail-on new needs --baseline, the report.json of an earlier sweep");
        }
    }
}

void take_expect(const std::string& words, Options& options) {
    options.expect = list_of(words);
    for (const std::string& word : options.expect) {
        if (word == "clean") {
            throw Error("without --expect a sweep passes if it is clean: leave it out");
        }
        if (!names_violations(word)) {
            throw Error("the option --expect needs kinds of violations such as deadlock,leak/*, not '" + word + "'");
        }
    }
}

void take_minimize(Options& options) { options.minimize = true; }
void take_explain_order(Options& options) { options.explain_order = true; }

void take_incomplete_ok(Options& options) { options.incomplete_ok = true; }

void take_corpus(const std::string& word, Options& options) {
    if (word.empty()) {
        throw Error("the option --corpus needs the name of a directory");
    }
    options.corpus = word;
}

void take_corpus_add(Options& options) { options.corpus_add = true; }

void take_cache(const std::string& word, Options& options) {
    if (word.empty()) {
        throw Error("the option --cache needs the name of a directory");
    }
    options.cache = word;
}

void take_cache_input(const std::vector<std::string>& words, Options& options) {
    for (const std::string& word : words) {
        options.cache_inputs.push_back(file_name("--cache-input", word));
    }
}

void take_progress(const std::string& word, Options& options) {
    options.progress = one_of<ProgressKind>("--progress", word,
                                            {{"auto", ProgressKind::automatic},
                                             {"line", ProgressKind::line},
                                             {"json", ProgressKind::json},
                                             {"none", ProgressKind::none}},
                                            "auto, line, json or none");
}

void take_show_output(Options& options) { options.show_output = true; }
void take_open(Options& options) { options.open_page = true; }

void take_verbose(Options& options) { options.verbosity = 1; }

void take_quiet(Options& options) { options.verbosity = -1; }

template <typename Function>
void take(const Typed<Form::value>& typed, Function* function, Options& options) {
    function(typed.word, options);
}

template <typename Function>
void take(const Typed<Form::list>& typed, Function* function, Options& options) {
    function(typed.words, options);
}

template <typename Function>
void take(const Typed<Form::flag>& /*typed*/, Function* function, Options& options) {
    function(options);
}

/// Each option that is given, in the order of the table.
void take_all(const Words& words, Options& options) {
    const option_table::Line* line = option_table::lines.data();
#define TAKE(name)                                               \
    if (options.given.contains(std::string(long_word(*line)))) { \
        take(words.name, take_##name, options);                  \
    }
#define TAKE_value(name) TAKE(name)
#define TAKE_list(name) TAKE(name)
#define TAKE_flag(name) TAKE(name)
#define TAKE_explanation(name)  // parse_options() has said it and ended
#define TAKE_help(name)         // CLI11 has said it and ended
#define TAKE_version(name)      // likewise
#define OPTION(name, form, ...) \
    TAKE_##form(name);          \
    ++line;
#include "scheduler/cli/options.def"
#undef OPTION
#undef TAKE_version
#undef TAKE_help
#undef TAKE_explanation
#undef TAKE_flag
#undef TAKE_list
#undef TAKE_value
#undef TAKE
}

/// Inside an allocation of Slurm's the ranks are on its nodes, unless something else says where; a decision file knows
/// nothing of hosts.
void take_allocation(Options& options) {
    if (options.workers || options.launcher || options.replay || options.suite) {
        return;
    }
    options.hosts = hosts_of_allocation();
    options.hosts_by_slurm = !options.hosts.empty();
    int tasks = 0;
    for (const HostLine& node : options.hosts) {
        tasks += static_cast<int>(node.slots);
    }
    if (options.hosts_by_slurm && options.processes > tasks) {
        throw Error(
            fmt::format("Slurm's allocation has {} tasks, which are fewer than -n {}: ask Slurm for as many, or give "
                        "--hosts none to have all ranks on this machine",
                        tasks, options.processes));
    }
    if (options.processes == 0 && !options.program.empty()) {
        options.processes = tasks;
    }
}

void convert(const CLI::App& app, const Words& words, Options& options) {
    const auto given = [&app](const char* name) { return app.count(name) > 0; };
    const auto exclude = [&given](const char* one, const char* other) {
        if (given(one) && given(other)) {
            throw Error(std::string("the options ") + one + " and " + other + " exclude each other");
        }
    };
    exclude("--verbose", "--quiet");
    exclude("--replay", "--max-interleavings");
    exclude("--replay", "--stop-on-first");
    // The decision file says which.
    exclude("--replay", "--clock");
    exclude("--replay", "--engine");
    exclude("--replay", "--explore-polls");
    exclude("--replay", "--buffering");
    exclude("--replay", "--piggyback");
    for (const char* option :
         {"--mixing-bound", "--mixing-unit", "--loop-bound", "--explore", "--skip", "--ignore-brackets", "--order",
          "--seed", "--sample", "--merge-states", "--explain-order"}) {
        exclude("--replay", option);
    }
    exclude("--replay", "--virtual-time");
    exclude("--replay", "--real-time");
    exclude("--virtual-time", "--real-time");
    exclude("--resume", "--replay");
    exclude("--replay", "--corpus");
    exclude("--replay", "--cache");
    exclude("--resume", "--cache");
    exclude("--replay", "--workers");
    exclude("--hosts", "--hostfile");
    exclude("--hosts", "--suite");
    exclude("--hostfile", "--suite");
    exclude("--expect", "--fail-on");
    exclude("--expect", "--baseline");
    exclude("--fresh-dir", "--snapshots");  // copies of processes would stay where they are
    if (given("--resume") && given("--output")) {
        throw Error("the options --resume and -o exclude each other: a sweep goes on in its own directory");
    }
    for (const CLI::Option* option : app.get_options()) {
        if (option->count() > 0) {
            options.given.insert(option->get_name());
        }
    }
    const bool sweeps_own = (given("--resume") && options.program.empty()) || given("--suite");
    if (given("--suite")) {
        check_alone_with_suite(options);
    } else if (sweeps_own) {
        check_alone_with_resume(options.given);
    }
    take_all(words, options);
    if (!given("--hosts") && !given("--hostfile")) {
        take_allocation(options);
    }
    if (options.processes == 0 && options.hosts.empty() && !options.workers && !options.launcher && !options.replay &&
        !sweeps_own) {
        options.processes = tasks_of_allocation();
    }
    if (options.processes == 0 && !sweeps_own) {
        throw Error("the number of processes is missing: give it with -n N");
    }
    if (options.corpus_add && !options.corpus) {
        throw Error("--corpus-add needs --corpus, the directory to add to");
    }
    if (!options.cache_inputs.empty() && !options.cache) {
        throw Error("--cache-input needs --cache, the directory in which sweeps are kept");
    }
    if (options.sample.value_or(0) != 0 && options.explore_polls.value_or(0) != 0) {
        throw Error(
            "the options --sample and --explore-polls exclude each other: the number of interleavings with "
            "additional false answers cannot be estimated");
    }
    if (options.sample.value_or(0) != 0 && !sweeps_own && options.protocol() == clocks::Protocol::lamport) {
        throw Error(std::string("--sample needs vector clocks: ") +
                    (options.clock ? "leave out --clock lamport"
                                   : "with so many processes they must be asked for, by --clock vector"));
    }
    if (options.program.empty() && !sweeps_own) {
        throw Error("no program was given: dampi-run -n N [options] program [arguments]");
    }
}

/// Takes the list of -n N,N,... out of the words, which then have its first number, and says which options are each
/// sweep's, where there are several. `ours`: from split_off_program().
void split_sweeps(CLI::App& app, std::vector<std::string>& ours, ParsedOptions& parsed) {
    static const std::set<std::string> of_all{"-n",      "--output", "--time-limit",   "--open", "--suite",
                                              "--junit", "--sarif",  "--code-quality", "--trace"};
    static const std::set<std::string> of_one{"--resume", "--replay", "--corpus-add", "--suite"};
    std::vector<int> counts;
    std::string refused;
    bool has_suite = false;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const std::string name = app.get_option(ours[i])->get_name();
        const bool valued = takes_value(app, ours[i]) && i + 1 < ours.size();
        refused = of_one.contains(name) ? name : refused;
        has_suite = has_suite || name == "--suite";
        if (!of_all.contains(name)) {
            const auto begin = ours.begin() + static_cast<std::ptrdiff_t>(i);
            parsed.of_each_sweep.push_back({.name = name, .words = {begin, begin + (valued ? 2 : 1)}});
        }
        i += valued ? 1 : 0;
        if (name != "-n" || !valued || ours[i].find(',') == std::string::npos) {
            continue;
        }
        for (const std::string& word : list_of(ours[i])) {
            const int count = whole_number<int>("-n", word, 1);
            if (std::find(counts.begin(), counts.end(), count) != counts.end()) {
                throw Error("the option -n has the number " + word + " twice");
            }
            counts.push_back(count);
        }
        ours[i] = std::to_string(counts.front());
    }
    if (!counts.empty() && !refused.empty()) {
        throw Error("the option " + refused + " cannot be given with several numbers of processes: give -n one number");
    }
    if (counts.empty() && !has_suite) {
        parsed.of_each_sweep.clear();
    }
    parsed.process_counts = std::move(counts);
}

/// Of options that have one value and were given several. `ours`: from split_off_program().
std::vector<std::string> remarks_on_repeated(CLI::App& app, const std::vector<std::string>& ours) {
    std::vector<std::string> remarks;
    std::map<std::string, std::string> values;
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const CLI::Option* option = app.get_option(ours[i]);
        if (!takes_value(app, ours[i]) || i + 1 >= ours.size()) {
            continue;
        }
        const std::string& value = ours[++i];
        const auto [before, is_first] = values.try_emplace(option->get_name(), value);
        if (option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeLast && before->second != value) {
            remarks.push_back("the option " + option->get_name() + " is given as " + before->second + " and as " +
                              value + ": the last one counts");
        }
        before->second = value;
    }
    return remarks;
}

/// The command line as CLI11 knows it, and what was typed.
class CommandLine {
public:
    CommandLine() {
        app_.name("dampi-run");
        app_.formatter(std::make_shared<HelpFormatter>());
        app_.footer(footer);
        declare_options(app_, words_);
    }

    /// Throws dampi::Error and what CLI11 throws. Nothing where the words say what is to be printed alone.
    std::optional<std::string> parse(const std::vector<std::string>& given, ParsedOptions& parsed) {
        std::vector<std::string> ours = split_off_program(app_, given, parsed.options);
        parsed.remarks = remarks_on_repeated(app_, ours);
        split_sweeps(app_, ours, parsed);
        std::reverse(ours.begin(), ours.end());  // CLI11 takes a vector from its end
        app_.parse(std::move(ours));
        if (app_.count(std::string(explain_word)) > 0) {
            return explained(words_.explain.word);
        }
        convert(app_, words_, parsed.options);
        return std::nullopt;
    }

    /// Prints what CLI11 has to say; returns the exit status.
    int say(const CLI::Success& asked) { return app_.exit(asked, std::cout, std::cerr); }

private:
    Words words_;
    CLI::App app_{
        "Runs an MPI program under every feasible outcome of its nondeterministic calls\n"
        "and reports deadlocks, crashes and leaks, each with a file that replays it.\n"};
};

}  // namespace

ParsedOptions parse_options(int argc, char** argv) {
    ParsedOptions parsed;
    CommandLine line;
    try {
        if (const auto text = line.parse({argv + std::min(argc, 1), argv + argc}, parsed)) {
            std::cout << *text;
            parsed.exit_status = 0;
        }
    } catch (const CLI::Success& asked) {  // --help and --version
        parsed.exit_status = line.say(asked);
    } catch (const CLI::ParseError& error) {
        std::cerr << "dampi-run: " << error.what() << " (see dampi-run --help)\n";
        parsed.exit_status = 2;
    } catch (const Error& error) {
        std::cerr << "dampi-run: " << error.what() << " (see dampi-run --help)\n";
        parsed.exit_status = 2;
    }
    return parsed;
}

Options parse_words(const std::vector<std::string>& words) {
    ParsedOptions parsed;
    CommandLine line;
    try {
        if (!line.parse(words, parsed) && parsed.process_counts.empty()) {
            return std::move(parsed.options);
        }
    } catch (const CLI::Success&) {  // said below
    } catch (const CLI::ParseError& error) {
        throw Error(error.what());
    }
    throw Error("these options do not say how one program is verified");
}

}  // namespace dampi::scheduler
