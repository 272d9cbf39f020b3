// See verdict.hpp.
#include "scheduler/report/verdict.hpp"

#include "replay/function_names.hpp"
#include "replay/possible_races.hpp"
#include "replay/terminal_words.hpp"
#include "replay/unseen_calls.hpp"

#include "base/check.hpp"
#include "scheduler/sweep/needed_choices.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {

Confirmation confirmation_of(const ReportInputs& inputs, std::size_t i) {
    return i < inputs.confirmations.size() ? inputs.confirmations[i] : Confirmation();
}

std::filesystem::path file_at(const std::vector<std::filesystem::path>& files, std::size_t i) {
    return i < files.size() ? files[i] : std::filesystem::path();
}

std::vector<std::filesystem::path> outputs_of(const ReportInputs& inputs, std::size_t i) {
    return i < inputs.finding_outputs.size() ? inputs.finding_outputs[i] : std::vector<std::filesystem::path>();
}

std::string read_from(const Options& options) {
    return options.standard_input.empty() ? "" : " < " + replay::shell_quoted(options.standard_input.string());
}

std::string resume_command(const ReportInputs& inputs) {
    return inputs.options.replay || !inputs.result.ended_early
               ? ""
               : "dampi-run --resume " + replay::shell_quoted(inputs.options.output.string()) +
                     read_from(inputs.options);
}

std::string_view verdict_name(Verdict verdict) {
    switch (verdict) {
        case Verdict::clean:
            return "clean";
        case Verdict::violations:
            return "violations";
        case Verdict::incomplete:
            return "incomplete";
        case Verdict::error:
            return "error";
    }
    check_failed("the verdict is known", __FILE__, __LINE__);
}

std::vector<LeftOut> left_out_by_bounds(const SweepResult& result, const heuristics::SearchBoundSettings& bounds) {
    std::map<heuristics::LeftOutBy, LeftOut> by_reason;
    std::map<heuristics::LeftOutBy, std::uint64_t> alternatives;
    const auto same_line = [](const LeftOut::Place& a, const LeftOutAlternatives::Place& b) {
        return a.call == b.call && replay::source_place(a.where) == replay::source_place(b.where);
    };
    for (const auto& [place, count] : result.left_out_by_bounds) {
        std::vector<LeftOut::Place>& places = by_reason[place.by].places;
        const auto same = std::find_if(places.begin(), places.end(),
                                       [&, &wanted = place](const auto& each) { return same_line(each, wanted); });
        if (same == places.end()) {
            places.push_back({place.call, place.where, count});
        } else {
            same->alternatives += count;  // another copy that the compiler made
        }
        alternatives[place.by] += count;
    }
    std::vector<LeftOut> all;
    for (auto& [by, left] : by_reason) {
        heuristics::LeftOutWords words = words_for(by, bounds);
        left.reason = std::move(words.reason);
        left.what = replay::counted(alternatives[by], "alternative") + " " + words.what;
        left.remedy = std::move(words.remedy);
        std::stable_sort(left.places.begin(), left.places.end(), [](const LeftOut::Place& a, const LeftOut::Place& b) {
            return a.alternatives > b.alternatives;
        });
        all.push_back(std::move(left));
    }
    return all;
}

std::vector<std::string> names_of_nothing(const ReportInputs& inputs) {
    std::vector<std::string> sentences;
    const SweepResult& result = inputs.result;
    const std::vector<heuristics::NamePattern>& skipped = inputs.options.bounds.skip;
    const bool has_left_out =
        std::any_of(result.left_out_by_bounds.begin(), result.left_out_by_bounds.end(),
                    [](const auto& left) { return left.first.by == heuristics::LeftOutBy::name; });
    if (!skipped.empty() && !has_left_out && !inputs.options.replay && result.explored != 0) {
        std::string names;
        for (const heuristics::NamePattern& pattern : skipped) {
            names += " --skip " + format(pattern);
        }
        sentences.push_back("nothing was left out by" + names +
                            ": no call that has alternatives is in what this names");
    }
    const auto is_on_a_stack = [&](const std::string& name) {
        const auto is_on = [&name](const std::vector<replay::CodePlace>& stack) {
            return std::any_of(stack.begin(), stack.end(),
                               [&name](const auto& frame) { return replay::names_function(name, frame); });
        };
        const auto has_it = [&is_on](const Finding& finding) {
            const auto& situations = finding.violation.situations;
            return std::any_of(situations.begin(), situations.end(),
                               [&is_on](const auto& situation) { return is_on(situation.stack); });
        };
        const auto chooses_there = [&is_on](const ListedCalls& listed) {
            return std::any_of(listed.choice_stacks.begin(), listed.choice_stacks.end(), is_on);
        };
        return std::any_of(result.findings.begin(), result.findings.end(), has_it) ||
               std::any_of(inputs.calls.begin(), inputs.calls.end(), chooses_there);
    };
    for (const std::string& name : inputs.options.wrappers) {
        if (!result.findings.empty() && !is_on_a_stack(name)) {
            sentences.push_back("--wrapper " + name +
                                " names no function on the stack of a finding, or of a choice that leads to one");
        }
    }
    return sentences;
}

std::string remedy(const LeftOut& left) {
    static const std::map<std::string, std::string> words{
        {"max-interleavings", "a larger --max-interleavings, or none, includes more"},
        {"time-limit", "a larger --time-limit, or none, includes more"},
        {"stop-on-first", "without --stop-on-first exploration goes on"},
        {"interrupt", "let it run to its end to include the rest"},
        {"workers", "resume it with other workers to include the rest"},
        {"not-modelled", "no option includes them yet"},
        {"livelock-limit", "a larger --livelock-limit, or --hang-limit none, lets them go on"},
        {"possible-race",
         "a fence between them, or the first rank's MPI_Win_flush or MPI_Win_unlock and then a message to the second, "
         "orders them for certain; so do exclusive locks, while shared ones do not"},
        {"thread-orders",
         "no option chooses it; run it once with one thread in each rank, too (OMP_NUM_THREADS=1), and several times "
         "with all of them"},
        {"threads-in-windows",
         "run it once with one thread in each rank, too (OMP_NUM_THREADS=1); a build with -fsanitize=thread sees the "
         "accesses of all threads"},
        {"openmp",
         "build it with gcc, or with clang where libarcher.so is installed, and link OpenMP's library dynamically; "
         "docs/sanitizers.md says what is followed"},
        {"divergence",
         "--virtual-time (or --real-time, where it was virtual) where the program goes by the time, --fresh-dir where "
         "it goes by files that runs leave "
         "behind; "
         "no option helps where it goes by random numbers or threads, or others end its ranks, as where memory runs "
         "out"},
        {"imprecise-match",
         "no option helps: ranks may keep an order by means outside MPI, otherwise it is a fault of dampi"},
        {"executed", "started by env (dampi-run ... env PROGRAM) they are followed"},
        {"replay", "without --replay all interleavings are explored"},
    };
    const auto found = words.find(left.reason);
    return !left.remedy.empty() || found == words.end() ? left.remedy : found->second;
}

namespace {

/// A call that does what MPI says of it is not passed through.
LeftOut left_out_of_races(const replay::AllNotModelled& not_modelled) {
    LeftOut left{.reason = "possible-race", .what = {}};
    std::uint64_t accesses = 0;
    std::vector<LeftOut::Place> unnamed;
    for (const auto& [name, calls] : not_modelled) {
        const std::string_view sides = replay::sides_of_possible_race(name);
        const bool all_sides = name == replay::possible_races;
        accesses += all_sides ? calls.calls : 0;
        for (const replay::CodePlace& where : calls.places) {
            if (all_sides || !sides.empty()) {
                (all_sides ? unnamed : left.places)
                    .push_back({.call = all_sides ? "access" : std::string(sides), .where = where});
            }
        }
    }
    if (left.places.empty()) {
        left.places = std::move(unnamed);
    }
    left.what = fmt::format(
        "whether accesses to the same bytes of a window, one of which writes, are ordered is not certain ({}x): if "
        "nothing orders them this is a race (rma/race)",
        accesses);
    return left;
}

/// Runs that ended where processes were to be started.
LeftOut without_processes(const std::string& function, const replay::NotModelled& calls) {
    const std::string where = calls.places.empty() ? "" : " at " + replay::place_text(*calls.places.begin());
    LeftOut left{
        .reason = "not-modelled",
        .what = fmt::format("runs ended in {}{}, which cannot {} processes here: dampi runs programs on MPICH, whose "
                            "transport UCX offers none",
                            function, where, function.starts_with("MPI_Comm_spawn") ? "start" : "meet other"),
        .remedy = "start all processes at the beginning (for mpi4py's pools: python3 -m mpi4py.futures SCRIPT)"};
    for (const replay::CodePlace& where : calls.places) {
        left.places.push_back({.call = function, .where = where});
    }
    return left;
}

/// What is counted among the calls that are not modelled, and is none.
std::optional<LeftOut> by_itself(std::string_view name, const replay::NotModelled& counted) {
    if (name == replay::other_orders_of_threads) {
        return LeftOut{.reason = "thread-orders",
                       .what =
                           "other orders of threads: where several threads of a rank call MPI, each interleaving has "
                           "the order of their calls in which they happened to come"};
    }
    if (name == replay::executed_before_init) {
        LeftOut left{.reason = "executed",
                     .what =
                         "ranks executed another program in their place (execv, ...) before they had called MPI_Init: "
                         "what that did is not known"};
        for (const replay::CodePlace& where : counted.places) {
            left.places.push_back({.call = "exec", .where = where});
        }
        return left;
    }
    if (name == replay::touches_of_threads) {
        LeftOut left{.reason = "threads-in-windows",
                     .what =
                         "what a rank loads and stores in its memory of a window while others access that is not "
                         "looked at where the rank has several threads"};
        for (const replay::CodePlace& where : counted.places) {
            left.places.push_back({.call = "until", .where = where});
        }
        return left;
    }
    if (name != replay::conflicts_beside_openmp) {
        return std::nullopt;
    }
    LeftOut left{.reason = "openmp",
                 .what = fmt::format("{} that ThreadSanitizer has seen between threads: the OpenMP runtime may have "
                                     "ordered them, which ThreadSanitizer does not know of this one",
                                     replay::counted(counted.calls, "conflict"))};
    for (const replay::CodePlace& where : counted.places) {
        left.places.push_back({.call = "conflict", .where = where});
    }
    return left;
}

/// The check that was asked for, where ranks could not look at all: such a note is of no place in the program. Others
/// are of some of its buffers.
std::optional<LeftOut> unwatched_buffers(const SweepResult& result) {
    std::vector<replay::Rank> ranks;
    std::string reasons;
    bool others_copy = false;
    for (const Finding& note : result.notes) {
        const std::vector<replay::RankSituation>& situations = note.violation.situations;
        if (note.violation.kind != replay::ViolationKind::buffer_unwatched ||
            std::any_of(situations.begin(), situations.end(),
                        [](const auto& each) { return each.where != replay::CodePlace(); })) {
            continue;
        }
        const std::string& message = note.violation.message;
        const std::size_t reason = message.find(": ");
        reasons += (reasons.empty() ? "" : "; ") + (reason == std::string::npos ? message : message.substr(reason + 2));
        others_copy = others_copy || message.find("UCX_TLS") != std::string::npos;
        ranks.insert(ranks.end(), note.all_ranks.begin(), note.all_ranks.end());
    }
    if (ranks.empty()) {
        return std::nullopt;
    }
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    return LeftOut{"check-buffers",
                   fmt::format("loads and stores in buffers of pending operations, which --check-buffers is to find, "
                               "were not seen in {}: {}",
                               replay::rank_list(ranks, 8), reasons),
                   others_copy ? "UCX_TLS=self,sysv in the environment lets them be seen" : "",
                   {}};
}

}  // namespace

std::vector<LeftOut> everything_left_out(const SweepResult& result) {
    std::vector<LeftOut> all = result.left_out;
    const auto named = [&all](std::string_view reason) {
        return std::any_of(all.begin(), all.end(), [reason](const LeftOut& left) { return left.reason == reason; });
    };
    if (result.not_modelled.contains(replay::possible_races) && !named("possible-race")) {
        all.push_back(left_out_of_races(result.not_modelled));
    }
    if (!result.not_modelled.empty() && !named("not-modelled")) {
        std::string names;
        std::vector<LeftOut::Place> places;
        for (const auto& [name, calls] : result.not_modelled) {
            if (name.starts_with(replay::possible_races)) {
                continue;
            }
            if (name.starts_with(replay::processes_by)) {
                all.push_back(without_processes(name.substr(replay::processes_by.size()), calls));
                continue;
            }
            if (std::optional<LeftOut> own = by_itself(name, calls)) {
                all.push_back(*std::move(own));
                continue;
            }
            names += fmt::format("{}{} ({}x)", names.empty() ? "" : ", ", name, calls.calls);
            for (const replay::CodePlace& where : calls.places) {
                places.push_back({.call = name, .where = where});
            }
        }
        if (!names.empty()) {
            all.push_back({.reason = "not-modelled",
                           .what = "calls were passed through without being modelled: " + names,
                           .places = std::move(places)});
        }
    }
    const auto doubts = [&](replay::ViolationKind kind) {
        return std::count_if(result.doubts.begin(), result.doubts.end(),
                             [kind](const Finding& doubt) { return doubt.violation.kind == kind; });
    };
    const auto livelocks = doubts(replay::ViolationKind::possible_livelock);
    const auto divergences = doubts(replay::ViolationKind::divergence);
    if (livelocks != 0) {
        all.push_back(
            {"livelock-limit",
             "runs were ended since ranks only polled, or went on far longer than any before: they may have come to an "
             "end"});
    }
    if (divergences != 0) {
        all.push_back({"divergence",
                       "in some interleavings the program did not repeat what it had done before, so nothing follows "
                       "from them"});
    }
    if (livelocks + divergences != std::ssize(result.doubts)) {
        all.push_back({"imprecise-match",
                       "in some interleavings something that dampi had decided did not come about, so nothing follows "
                       "from them"});
    }
    if (std::optional<LeftOut> buffers = unwatched_buffers(result)) {
        all.push_back(*std::move(buffers));
    }
    if (result.explored == 0 && all.empty()) {
        all.push_back({"nothing-run", "no interleaving was run to its end"});
    }
    if (result.pending > 0 && all.empty()) {
        all.push_back({"pending", "known alternatives were not run"});
    }
    return all;
}

std::optional<heuristics::SizeEstimate> believable_size(const SweepResult& result) {
    const std::optional<heuristics::SizeEstimate>& size = result.size_estimate;
    const auto known = static_cast<double>(result.explored + result.pending);
    return size && !size->mean.is_zero() && size->mean.value() < known ? std::nullopt : size;
}

bool choices_matter(const SweepResult& result, const Finding& finding) {
    if (finding.shown_by == Finding::ShownBy::touches) {
        return false;
    }
    const replay::ViolationKind kind = finding.violation.kind;
    if (finding.count == result.explored || !is_seen_at_end(kind) || result.outcomes_omitted) {
        return finding.count < 2 || finding.count != result.explored;
    }
    return std::any_of(result.interleavings.begin(), result.interleavings.end(),
                       [&](const InterleavingOutcome& each) { return each.merged || tells_of_passing(each, kind); }) ||
           finding.count !=
               static_cast<std::uint64_t>(
                   std::count_if(result.interleavings.begin(), result.interleavings.end(), [&](const auto& each) {
                       return std::find(each.verdicts.begin(), each.verdicts.end(), kind) != each.verdicts.end();
                   }));
}

Verdict verdict_of(const ReportInputs& inputs) {
    if (!inputs.error.empty()) {
        return Verdict::error;
    }
    if (!inputs.result.findings.empty()) {
        return Verdict::violations;
    }
    return everything_left_out(inputs.result).empty() ? Verdict::clean : Verdict::incomplete;
}

int exit_status(Verdict verdict) {
    switch (verdict) {
        case Verdict::clean:
            return 0;
        case Verdict::violations:
            return 1;
        case Verdict::incomplete:
            return 3;
        case Verdict::error:
            return 4;
    }
    check_failed("the verdict is known", __FILE__, __LINE__);
}

}  // namespace dampi::scheduler
