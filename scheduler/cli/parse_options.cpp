// Parses the command line of dampi-run with CLI11; see options.hpp. CLI11 sees only the words before the
// program's name, so that it cannot take one of the program's own words for ours.
#include "scheduler/cli/parse_options.hpp"

#include "base/check.hpp"
#include "launch/launcher_command.hpp"
#include "launch/program/mpi_library.hpp"
#include "replay/decision_file.hpp"
#include "replay/epoch_names.hpp"
#include "scheduler/cli/option_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string_view>

#include <CLI/CLI.hpp>

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

/// The values as the user typed them.
struct Words {
#define OPTION(name, form, ...) Typed<Form::form> name;
#include "scheduler/cli/options.def"
#undef OPTION
};

/// The program and its arguments are none of CLI11's options, so the line of the usage is our own.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_usage(const CLI::App* /*app*/, std::string /*name*/) const override {
        return "Usage: dampi-run -n N [options] PROGRAM [ARGUMENTS...]\n"
               "       dampi-run -n N --replay FILE [options] PROGRAM [ARGUMENTS...]\n"
               "       dampi-run --resume DIR [options]\n";
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

/// Whether a known option takes a value; unknown ones are a usage error.
bool takes_value(CLI::App& app, const std::string& name) {
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option == nullptr) {
        throw Error("unknown option '" + name + "'");
    }
    return option->get_items_expected_max() > 0;
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
        throw Error("the option " + name + " needs a whole number from " + std::to_string(least) + " on, not '" + word +
                    "'");
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
        throw Error("the option " + name + " needs a number of seconds above 0, not '" + word + "'");
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
    static const std::set<std::string> free{"--resume",        "--jobs",     "--max-interleavings", "--time-limit",
                                            "--stop-on-first", "--order",    "--verbose",           "--quiet",
                                            "--show-output",   "--progress", "--keep-output",       "--snapshots"};
    for (const std::string& option : given) {
        if (!free.contains(option)) {
            throw Error("the option " + option +
                        " cannot be changed with --resume: leave it out, or give the whole command, with the program, "
                        "to have it compared with that of the sweep");
        }
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

void convert_bounds(const CLI::App& app, const Words& words, Options& options) {
    const auto given = [&app](const char* name) { return app.count(name) > 0; };
    heuristics::SearchBoundSettings& bounds = options.bounds;
    if (given("--mixing-bound") && words.mixing_bound.word != "none") {
        bounds.mixing_bound =
            whole_number<std::uint32_t>("--mixing-bound", words.mixing_bound.word, 0, heuristics::Room::unlimited - 1);
    }
    if (given("--mixing-unit")) {
        bounds.mixing_unit = one_of<heuristics::MixingUnit>(
            "--mixing-unit", words.mixing_unit.word,
            by_name({heuristics::MixingUnit::epochs, heuristics::MixingUnit::zones}, heuristics::mixing_unit_name),
            "epochs or zones");
    }
    if (given("--loop-bound") && words.loop_bound.word != "none") {
        bounds.loop_bound_automatic = words.loop_bound.word == "auto";
        if (!bounds.loop_bound_automatic) {
            bounds.loop_bound = whole_number<std::uint32_t>("--loop-bound", words.loop_bound.word, 1);
        }
    }
    for (const std::string& name : words.explore.words) {
        bounds.explore.push_back(heuristics::parse_name_pattern("--explore", name));
    }
    for (const std::string& name : words.skip.words) {
        bounds.skip.push_back(heuristics::parse_name_pattern("--skip", name));
    }
    bounds.brackets = !words.ignore_brackets.given;
    if (given("--order")) {
        using heuristics::Order;
        options.order = one_of<Order>(
            "--order", words.order.word,
            by_name({Order::newest, Order::depth_first, Order::breadth_first, Order::random}, heuristics::order_name),
            "newest, dfs, bfs or random");
    }
    if (given("--seed")) {
        options.seed = whole_number<std::uint64_t>("--seed", words.seed.word, 0);
    }
    if (given("--sample") && words.sample.word != "auto") {
        options.sample = whole_number<std::uint32_t>("--sample", words.sample.word, 0, 1'000'000);
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
    for (const char* option : {"--mixing-bound", "--mixing-unit", "--loop-bound", "--explore", "--skip",
                               "--ignore-brackets", "--order", "--seed", "--sample"}) {
        exclude("--replay", option);
    }
    exclude("--replay", "--virtual-time");
    exclude("--resume", "--replay");
    exclude("--fresh-dir", "--snapshots");  // copies of processes would stay where they are
    if (given("--resume") && given("--output")) {
        throw Error("the options --resume and -o exclude each other: a sweep goes on in its own directory");
    }
    for (const CLI::Option* option : app.get_options()) {
        if (option->count() > 0) {
            options.given.insert(option->get_name());
        }
    }
    const bool sweeps_own = given("--resume") && options.program.empty();
    if (sweeps_own) {
        check_alone_with_resume(options.given);
    } else if (!given("-n")) {
        throw Error("the number of processes is missing: give it with -n N");
    }
    if (given("-n")) {
        options.processes = whole_number<int>("-n", words.processes.word, 1);
    }
    if (given("--jobs") && words.jobs.word != "auto") {
        options.jobs = whole_number<int>("--jobs", words.jobs.word, 1, most_jobs);
    }
    if (given("--resume")) {
        if (words.resume.word.empty()) {
            throw Error("the option --resume needs the name of a sweep's directory");
        }
        options.resume = words.resume.word;
        options.output = words.resume.word;
    }
    if (given("--progress")) {
        options.progress = one_of<ProgressKind>("--progress", words.progress.word,
                                                {{"auto", ProgressKind::automatic},
                                                 {"line", ProgressKind::line},
                                                 {"json", ProgressKind::json},
                                                 {"none", ProgressKind::none}},
                                                "auto, line, json or none");
    }
    if (given("--keep-output")) {
        options.keep_output =
            one_of<KeptOutput>("--keep-output", words.keep_output.word,
                               {{"all", KeptOutput::all}, {"findings", KeptOutput::findings}}, "all or findings");
    }
    for (const std::string& entry : words.environment.words) {
        options.environment.push_back(environment_entry(entry));
    }
    if (given("--launcher")) {
        [[maybe_unused]] const auto sensible = launch::launcher_words(words.launcher.word, options.processes, {"rank"});
        options.launcher = words.launcher.word;
    }
    if (given("--mpi")) {
        if (words.mpi.word.empty()) {
            throw Error("the option --mpi needs auto, native, or the directory of a patched MPI library");
        }
        const bool word = words.mpi.word == launch::automatic_mpi || words.mpi.word == launch::native_mpi;
        options.mpi = word ? words.mpi.word : std::filesystem::absolute(words.mpi.word).lexically_normal().string();
    }
    if (given("--replay")) {
        if (words.replay.word.empty()) {
            throw Error("the option --replay needs the name of a decision file");
        }
        options.replay = words.replay.word;
        options.output = "dampi-replay";  // not over the sweep that the file comes from
    }
    // "none" lifts the bound of a sweep that goes on.
    if (given("--max-interleavings") && words.max_interleavings.word != "none") {
        options.max_interleavings = whole_number<std::uint64_t>("--max-interleavings", words.max_interleavings.word, 1);
    }
    if (given("--time-limit") && words.time_limit.word != "none") {
        options.time_limit = positive_seconds("--time-limit", words.time_limit.word);
    }
    if (given("--hang-limit")) {
        options.hang_limit = positive_seconds("--hang-limit", words.hang_limit.word);
    }
    if (given("--livelock-limit")) {
        options.livelock_limit = positive_seconds("--livelock-limit", words.livelock_limit.word);
    }
    if (given("--output")) {
        if (words.output.word.empty()) {
            throw Error("the option -o needs the name of a directory");
        }
        options.output = words.output.word;
    }
    if (given("--clock") && words.clock.word != "auto") {
        options.clock = replay::clock_of(words.clock.word);
        if (!options.clock) {
            throw Error("the option --clock needs auto, vector or lamport, not '" + words.clock.word + "'");
        }
    }
    if (given("--engine")) {
        options.engine = replay::engine_of(words.engine.word);
        if (!options.engine && words.engine.word != "auto") {
            throw Error("the option --engine needs auto, central or distributed, not '" + words.engine.word + "'");
        }
        if (options.engine == replay::EngineKind::central && given("--launcher")) {
            throw Error("the options --engine central and --launcher exclude each other");
        }
    }
    if (given("--explore-polls")) {
        options.explore_polls =
            whole_number<std::uint32_t>("--explore-polls", words.explore_polls.word, 0, replay::most_explored_polls);
    }
    if (given("--buffering")) {
        const auto modes = replay::bufferings_of(words.buffering.word);
        if (!modes) {
            throw Error(
                "the option --buffering needs both, native, zero, infinite or all, or a number of bytes from 1 on, "
                "not '" +
                words.buffering.word + "'");
        }
        options.buffering = *modes;
    }
    if (given("--piggyback") && words.piggyback.word != "auto") {
        options.piggyback = replay::piggyback_of(words.piggyback.word);
        if (!options.piggyback) {
            throw Error("the option --piggyback needs auto, shared or native, not '" + words.piggyback.word + "'");
        }
    }
    convert_bounds(app, words, options);
    options.virtual_time = words.virtual_time.given;
    options.prepare = !words.no_prepare.given;
    options.fresh_directory = words.fresh_dir.given;
    if (given("--snapshots")) {
        if (words.snapshots.word != "auto" && words.snapshots.word != "never" && words.snapshots.word != "always") {
            throw Error("the option --snapshots needs auto, never or always, not '" + words.snapshots.word + "'");
        }
        options.snapshots = words.snapshots.word == "always"  ? SnapshotUse::always
                            : words.snapshots.word == "never" ? SnapshotUse::never
                                                              : SnapshotUse::automatic;
    }
    options.stop_on_first = words.stop_on_first.given;
    options.show_output = words.show_output.given;
    options.message_leaks = !words.no_message_leaks.given;
    options.verbosity = words.verbose.given ? 1 : words.quiet.given ? -1 : 0;
    if (options.sample.value_or(0) != 0 && options.explore_polls != 0) {
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

}  // namespace

ParsedOptions parse_options(int argc, char** argv) {
    ParsedOptions parsed;
    Words words;
    CLI::App app{
        "Runs an MPI program under every feasible outcome of its nondeterministic calls\n"
        "and reports deadlocks, crashes and leaks, each with a file that replays it.\n"};
    app.name("dampi-run");
    app.formatter(std::make_shared<HelpFormatter>());
    app.footer(footer);
    try {
        declare_options(app, words);
        std::vector<std::string> ours =
            split_off_program(app, std::vector<std::string>(argv + std::min(argc, 1), argv + argc), parsed.options);
        std::reverse(ours.begin(), ours.end());  // CLI11 takes a vector from its end
        app.parse(std::move(ours));
        convert(app, words, parsed.options);
    } catch (const CLI::Success& asked) {  // --help and --version: CLI11 prints the text
        parsed.exit_status = app.exit(asked, std::cout, std::cerr);
    } catch (const CLI::ParseError& error) {
        std::cerr << "dampi-run: " << error.what() << " (see dampi-run --help)\n";
        parsed.exit_status = 2;
    } catch (const Error& error) {
        std::cerr << "dampi-run: " << error.what() << " (see dampi-run --help)\n";
        parsed.exit_status = 2;
    }
    return parsed;
}

}  // namespace dampi::scheduler
