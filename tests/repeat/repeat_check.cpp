// repeat_check: explores a program, then repeats its interleavings again and again, every other time with ranks slowed
// at random, and compares what is recorded: the epochs with their outcomes, places and contexts, what they could
// have come to instead, and the kinds of violations.
//
//     repeat_check --layer libdampi.so --slow-ranks libslow_ranks.so -n NP --repetitions N [--every K]
//                  [--clock vector|lamport] [--explore-polls K] [--free-seed N] [--work DIR] PROGRAM [ARGUMENTS]
//
// Exit status: 0 always the same, 1 there was a difference (the first is printed), 2 usage, or nothing to compare.

#include "base/check.hpp"
#include "launch/program/program.hpp"
#include "replay/decision.hpp"
#include "replay/epoch_names.hpp"
#include "replay/pinned_outcomes.hpp"
#include "replay/run_record.hpp"
#include "scheduler/engines/distributed/distributed_engine.hpp"
#include "scheduler/exploration/match_relations.hpp"
#include "scheduler/sweep/findings.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

using namespace dampi;
using namespace dampi::scheduler;

struct Settings {
    std::filesystem::path layer;
    std::filesystem::path slow_ranks;
    std::filesystem::path work = std::filesystem::temp_directory_path() / ("repeat-" + std::to_string(getpid()));
    std::string program;
    std::vector<std::string> arguments;
    int processes = 0;
    std::uint64_t repetitions = 0;
    std::uint64_t every = 1;
    std::uint32_t explore_polls = 0;
    std::uint64_t free_seed = 0;
    std::string clock = "vector";
};

/// An interleaving with everything decided, and what it showed when it was first run.
struct Explored {
    replay::Interleaving pinned;
    replay::RunRecord record;
};

LocalEngine make_engine(const Settings& settings, const launch::Program& program, bool slowed) {
    LocalEngineSettings engine{.program = program,
                               .name = settings.program,
                               .arguments = settings.arguments,
                               .processes = settings.processes,
                               .environment = {},
                               .layer = settings.layer,
                               .output = settings.work,
                               .protocol = *replay::clock_of(settings.clock),
                               .record_stacks = true};
    if (slowed) {
        engine.environment.emplace_back("LD_PRELOAD", settings.slow_ranks.string());
    }
    return LocalEngine(engine);
}

/// Every interleaving that dampi-run would run, also those that only show whether a false answer matters.
std::vector<Explored> explore(const Settings& settings, const launch::Program& program) {
    LocalEngine engine = make_engine(settings, program, false);
    MatchRelations explorer({.explore_polls = settings.explore_polls});
    std::vector<Explored> all;
    while (auto interleaving = explorer.next()) {
        if (settings.free_seed != 0) {
            interleaving->free_seed = settings.free_seed + interleaving->number;
        }
        const replay::RunRecord record = engine.run(*interleaving, std::stop_token());
        const Lesson lesson = explorer.learn(interleaving->number, record, {}).value();
        explorer.apply(lesson);
        if (!lesson.deviation) {
            all.push_back({replay::pin_outcomes(*interleaving, record), record});
        } else if (!interleaving->trial) {
            throw std::runtime_error(fmt::format("interleaving {} already differed while exploring: {}",
                                                 interleaving->number, lesson.deviation->text));
        }
    }
    return all;
}

std::string tag_name(base::Tag tag) { return tag == base::any_tag ? "any" : std::to_string(tag); }

std::string text_of(const replay::Outcome& outcome) {
    return fmt::format("source {}, tag {}, number {}, completed [{}], {} false answers", outcome.source,
                       tag_name(outcome.tag), outcome.number, fmt::join(outcome.completed, " "), outcome.false_answers);
}

/// Everything that must be the same, so that equal texts are equal epochs. Clocks are left out: they say how an
/// outcome came about, in numbers, and what follows from them (the alternatives) is there.
std::string text_of(const replay::Epoch& epoch, const replay::RunRecord& record) {
    std::vector<std::string> alternatives;
    for (const replay::PotentialMatch& match : epoch.potential_matches) {
        alternatives.push_back(fmt::format("source {} tag {} number {}", match.source, match.tag, match.number));
    }
    for (const replay::Completable& completable : epoch.completable) {
        alternatives.push_back(fmt::format("request {}", completable.position));
    }
    const replay::EpochContext& context = epoch.context;
    std::vector<std::string> stack;
    if (context.stack < record.stacks.size()) {
        for (const replay::CodePlace& frame : record.stacks[context.stack]) {
            stack.push_back(fmt::format("{} ({}+{:#x})", frame.function, frame.module, frame.offset));
        }
    }
    return fmt::format(
        "rank {} epoch {}: {} ({}) on communicator {}, tag {}, at {}:{} ({}, {}+{:#x})\n"
        "        outcome: {}\n"
        "        possible: {}\n"
        "        context: zone {}, bracketed {}, mixing bound {}, communicator \"{}\", follow-up {:#x}, stack {}",
        epoch.id.rank, epoch.id.index, replay::epoch_kind_name(epoch.kind), epoch.call, epoch.comm, tag_name(epoch.tag),
        epoch.where.file, epoch.where.line, epoch.where.function, epoch.where.module, epoch.where.offset,
        epoch.outcome ? text_of(*epoch.outcome) : "none", fmt::join(alternatives, "; "), context.zone,
        context.bracketed, context.mixing_bound ? std::to_string(*context.mixing_bound) : "none",
        context.communicator_name, context.follow_up, fmt::join(stack, " < "));
}

std::set<std::string> kinds_of(const std::vector<replay::Violation>& violations) {
    std::set<std::string> kinds;
    for (const replay::Violation& violation : violations) {
        kinds.emplace(text_of(violation.kind));
    }
    return kinds;
}

/// A few lines that show where the two records first differ; nothing when they do not.
std::optional<std::string> first_difference(const replay::RunRecord& first, const replay::RunRecord& again) {
    const std::string nothing = "no such epoch";
    for (std::size_t i = 0; i < std::max(first.epochs.size(), again.epochs.size()); ++i) {
        const std::string expected = i < first.epochs.size() ? text_of(first.epochs[i], first) : nothing;
        const std::string found = i < again.epochs.size() ? text_of(again.epochs[i], again) : nothing;
        if (expected != found) {
            return fmt::format("    first: {}\n    now:   {}", expected, found);
        }
    }
    const auto expected = kinds_of(first.violations);
    const auto found = kinds_of(again.violations);
    if (expected != found) {
        return fmt::format("    first: violations [{}]\n    now:   violations [{}]", fmt::join(expected, " "),
                           fmt::join(found, " "));
    }
    return std::nullopt;
}

std::string text_of(const std::vector<replay::Violation>& violations) {
    std::string text;
    for (const replay::Violation& violation : violations) {
        text += fmt::format("    {}: {}\n", text_of(violation.kind), violation.message);
    }
    return text;
}

/// Wall time of some runs.
struct Times {
    std::uint64_t runs = 0;
    double seconds = 0;

    void add(double more) {
        ++runs;
        seconds += more;
    }
    [[nodiscard]] double milliseconds() const { return runs == 0 ? 0 : 1000 * seconds / static_cast<double>(runs); }
};

int run(const Settings& settings) {
    const launch::Program program = launch::inspect_program(settings.program);
    std::filesystem::create_directories(settings.work);
    const std::vector<Explored> all = explore(settings, program);
    if (std::all_of(all.begin(), all.end(), [](const Explored& each) { return each.record.epochs.empty(); })) {
        std::cerr << "repeat_check: " << settings.program << " has no epochs to compare\n";
        return 2;
    }

    LocalEngine plain = make_engine(settings, program, false);
    LocalEngine slowed = make_engine(settings, program, true);
    std::uint64_t interleavings = 0;
    std::uint64_t epochs = 0;
    std::uint64_t differences = 0;
    Times plain_times;
    Times slowed_times;
    for (std::size_t i = 0; i < all.size(); i += settings.every) {
        const auto& [pinned, record] = all[i];
        ++interleavings;
        for (std::uint64_t repetition = 1; repetition <= settings.repetitions; ++repetition) {
            const bool slow = repetition % 2 == 0;
            const replay::RunRecord again = (slow ? slowed : plain).run(pinned, std::stop_token());
            (slow ? slowed_times : plain_times).add(again.seconds);
            epochs += again.epochs.size();
            const auto difference = first_difference(record, again);
            if (difference && ++differences == 1) {
                std::cout << fmt::format("repetition {}{} of interleaving {} {} differs:\n{}\n{}", repetition,
                                         slow ? " (slowed)" : "", pinned.number, format_outcomes(record.epochs, true),
                                         *difference, text_of(again.violations))
                          << std::flush;
            }
        }
    }
    std::cout << fmt::format(
        "{}: {} of {} interleavings repeated {} times each: {} epochs compared, {} repetitions differ; {:.1f} ms for a "
        "run, {:.1f} ms where ranks were slowed\n",
        program.path.filename().string(), interleavings, all.size(), settings.repetitions, epochs, differences,
        plain_times.milliseconds(), slowed_times.milliseconds());
    std::filesystem::remove_all(settings.work);
    return differences == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Settings settings;
    CLI::App app("Repeats the interleavings of an MPI program and compares what is recorded.");
    app.add_option("--layer", settings.layer, "libdampi.so")->required()->check(CLI::ExistingFile);
    app.add_option("--slow-ranks", settings.slow_ranks, "the library that slows ranks")
        ->required()
        ->check(CLI::ExistingFile);
    app.add_option("-n", settings.processes, "number of ranks")->required()->check(CLI::PositiveNumber);
    app.add_option("--repetitions", settings.repetitions, "of each interleaving; every other one has slowed ranks")
        ->required()
        ->check(CLI::PositiveNumber);
    app.add_option("--every", settings.every, "repeat only every K-th interleaving")->check(CLI::PositiveNumber);
    app.add_option("--explore-polls", settings.explore_polls, "as of dampi-run");
    app.add_option("--free-seed", settings.free_seed, "what is not decided is random, by this seed; 0: it is MPI's");
    app.add_option("--clock", settings.clock, "as of dampi-run")->check(CLI::IsMember({"vector", "lamport"}));
    app.add_option("--work", settings.work, "directory for what the program prints; removed at the end");
    app.add_option("program", settings.program, "the program")->required();
    app.add_option("arguments", settings.arguments, "its arguments");
    app.positionals_at_end();
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        settings.layer = std::filesystem::canonical(settings.layer);
        settings.slow_ranks = std::filesystem::canonical(settings.slow_ranks);
        return run(settings);
    } catch (const Error& error) {
        std::cerr << "repeat_check: " << error.what() << '\n';
        return 2;
    } catch (const std::exception& error) {
        std::cout << "repeat_check: " << error.what() << '\n';
        return 1;
    }
}
