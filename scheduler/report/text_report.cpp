// See text_report.hpp.
#include "scheduler/report/text_report.hpp"

#include "replay/other_answers.hpp"
#include "replay/terminal_words.hpp"
#include "scheduler/report/explanation.hpp"
#include "scheduler/report/kind_names.hpp"
#include "scheduler/report/not_checked.hpp"
#include "scheduler/report/pass_criteria.hpp"
#include "scheduler/report/severity.hpp"
#include "scheduler/report/situation_text.hpp"
#include "scheduler/report/suppressions.hpp"
#include "scheduler/sweep/aftermath.hpp"
#include "scheduler/sweep/other_bufferings.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dampi::scheduler {

namespace {

/// So many are worth a word on why there are not fewer.
constexpr std::uint64_t many_interleavings = 500;

/// Choices of one finding that are printed; report.json has them all.
constexpr std::size_t most_choices = 12;
/// Places printed of what was left out for one reason.
constexpr std::size_t most_places = 10;
/// Alternative senders and requests printed for one epoch.
constexpr std::size_t most_alternatives = 8;

/// How a reason to leave something out is called in the verdict's line.
std::string short_reason(const LeftOut& left) {
    static const std::map<std::string, std::string> words{
        {"max-interleavings", "--max-interleavings"},
        {"time-limit", "--time-limit"},
        {"stop-on-first", "--stop-on-first"},
        {"interrupt", "interrupted"},
        {"workers", "without workers"},
        {"not-modelled", "calls not modelled"},
        {"possible-race", "accesses to windows that may race"},
        {"executed", "what ranks executed in their place"},
        {"thread-orders", "other orders of threads"},
        {"threads-in-windows", "loads and stores of several threads in windows"},
        {"openmp", "conflicts that OpenMP may have ordered"},
        {"divergence", "the program did not repeat itself"},
        {"imprecise-match", "doubts of the tool itself"},
        {"livelock-limit", "--livelock-limit"},
        {"replay", "--replay runs one interleaving"},
        {"nothing-run", "nothing was run"},
        {"first-run", "MPI itself did not end the first run"},
        {"check-buffers", "loads and stores in buffers, which --check-buffers is to find"},
        {"first-run-differs", "MPI itself went another way in the first run"},
        {"first-run-repeated", "the program did not repeat its first run"},
        {"alternatives", "alternatives not explored"},
        {"cut-short", "runs ended early"},
        {"names", "--explore and --skip"},
        {"brackets", "brackets of MPI_Pcontrol"},
        {"loop-bound", "--loop-bound"},
        {"mixing-bound", "--mixing-bound"},
    };
    const auto found = words.find(left.reason);
    return found == words.end() ? replay::printable(left.reason == "buffering" ? left.what : left.reason)
                                : found->second;
}

/// In lines; `all`: one for each worker, too.
std::string workers_text(const WorkersAccount& workers, bool all) {
    std::string text = fmt::format("run by {}", replay::counted(workers.joined, "worker"));
    if (workers.lost != 0) {
        text += fmt::format(", of which {} lost; what {} ({}) was run by others",
                            workers.lost == 1 ? "1 was" : fmt::format("{} were", workers.lost),
                            workers.lost == 1 ? "it had left" : "they had left",
                            replay::counted(workers.run_again, "interleaving"));
    }
    if (workers.refused != 0) {
        text += fmt::format("; {} refused", workers.refused == 1 ? "1 was" : fmt::format("{} were", workers.refused));
    }
    text += '\n';
    for (const WorkerRow& row : all ? workers.rows : std::vector<WorkerRow>()) {
        text += fmt::format("    {} (process {}, {}): {} in {}{}\n", replay::printable(row.host), row.process,
                            replay::counted(row.slots, "slot"), replay::counted(row.interleavings, "interleaving"),
                            replay::duration_text(row.seconds),
                            row.lost.empty() ? "" : ", lost: " + replay::printable(row.lost));
    }
    return text;
}

std::string reasons(const std::vector<LeftOut>& left_out) {
    std::string text;
    std::set<std::string> seen;
    for (const auto& left : left_out) {
        const std::string reason = short_reason(left);
        if (left.reason != "pending" && seen.insert(reason).second) {
            text += (text.empty() ? "" : ", ") + reason;
        }
    }
    return text;
}

/// "214 known alternatives not run: --max-interleavings" or "left out: calls not modelled".
std::string bounds(const SweepResult& result, const std::vector<LeftOut>& left_out) {
    const std::string why = reasons(left_out);
    if (result.pending > 0) {
        return replay::counted(result.pending, "known alternative") + " not run" + (why.empty() ? "" : ": " + why);
    }
    return "left out: " + why;
}

std::string headline(const Finding& finding, std::string_view word) {
    const replay::Violation& violation = finding.violation;
    const std::string ranks = replay::rank_list(violation.ranks, most_alternatives);
    std::string text = fmt::format("{}: {}", word, text_of(violation.kind));
    if (!ranks.empty()) {
        text += " in " + ranks;
    }
    if (!violation.message.empty()) {
        text += ": " + replay::printable(violation.message);
    }
    return text;
}

/// What the finding at this place is called.
std::string violation_word(const ReportInputs& inputs, std::size_t i, bool numbered) {
    return fmt::format("violation{}{}", numbered ? fmt::format(" {}", i + 1) : "",
                       inputs.passing.suppressed(i) ? " (suppressed)" : "");
}

std::string communicator_name(const SweepResult& result, replay::CommId id) {
    const auto found = result.communicators.find(id);
    if (found != result.communicators.end() && !found->second.empty()) {
        return replay::printable(found->second);
    }
    return id == base::world_comm ? "MPI_COMM_WORLD" : fmt::format("communicator {}", id);
}

/// "ranks 1-3 and 5 more".
std::string first_ranks(std::vector<replay::Rank> ranks, std::size_t most) {
    std::string more;
    if (ranks.size() > most) {
        more = fmt::format(" and {} more", ranks.size() - most);
        ranks.resize(most);
    }
    return replay::rank_list(ranks) + more;
}

/// "request 2", "requests 0, 2 and 5 more"; positions count from 0.
std::string request_list(const std::vector<std::uint32_t>& positions) {
    std::string text = positions.size() == 1 ? "request" : "requests";
    for (std::size_t i = 0; i < std::min(positions.size(), most_alternatives); ++i) {
        text += fmt::format("{} {}", i == 0 ? "" : ",", positions[i]);
    }
    if (positions.size() > most_alternatives) {
        text += fmt::format(" and {} more", positions.size() - most_alternatives);
    }
    return text;
}

/// " with tag 4", of a message that a call took, or could have taken, that did not say which tag; else nothing.
std::string tag_text(const replay::Epoch& epoch, replay::Tag tag) {
    return epoch.tag == base::any_tag ? fmt::format(" with tag {}", tag) : "";
}

/// "rank 2", "ranks 1-3"; of a call that did not say which tag "rank 1 with tag 3, rank 2 with tag 4".
std::string senders_text(const replay::Epoch& epoch) {
    std::vector<replay::Rank> ranks;
    std::string each_with_tag;
    for (const auto& match : epoch.potential_matches) {
        if (ranks.size() < most_alternatives) {
            each_with_tag +=
                fmt::format("{}rank {}{}", each_with_tag.empty() ? "" : ", ", match.source, tag_text(epoch, match.tag));
        }
        ranks.push_back(match.source);
    }
    if (epoch.tag == base::any_tag) {
        const std::size_t shown = std::min(ranks.size(), most_alternatives);
        return each_with_tag + (ranks.size() > shown ? fmt::format(" and {} more", ranks.size() - shown) : "");
    }
    std::sort(ranks.begin(), ranks.end());
    return first_ranks(std::move(ranks), most_alternatives);
}

/// What the epoch came to: "matched the message from rank 2", "reported request 2 of MPI_Waitany at ...".
std::string outcome_text(const replay::Epoch& epoch, const std::string& call) {
    if (!epoch.outcome) {
        return replay::chooses_message(epoch.kind) ? "matched nothing" : "reported nothing";
    }
    const replay::Outcome& outcome = *epoch.outcome;
    std::string text;
    if (replay::withdraws(epoch.kind)) {
        text = outcome.completed.empty() ? "cancelled the receive" : "came too late: the receive had matched";
    } else if (outcome.gave_up()) {
        text = "never answered true";
    } else if (replay::chooses_message(epoch.kind)) {
        text = fmt::format("matched the message{} from rank {}", tag_text(epoch, outcome.tag), outcome.source);
    } else {
        text = fmt::format("reported {} of {}", request_list(outcome.completed), call);
    }
    if (outcome.false_answers != 0) {
        text += fmt::format(" after {}", replay::counted(outcome.false_answers, "false answer"));
    }
    return text;
}

std::string mode_list(const std::vector<replay::Buffering>& modes) {
    std::string text;
    for (std::size_t i = 0; i < modes.size(); ++i) {
        text += i == 0 ? "" : i + 1 == modes.size() ? " and " : ", ";
        text += replay::buffering_name(modes[i]);
    }
    return text + " buffering";
}

/// " under native and zero buffering": the modes of which something was run.
std::string under_modes(const SweepResult& result) {
    std::vector<replay::Buffering> modes;
    for (const auto& [mode, counts] : result.by_buffering) {
        modes.push_back(mode);
    }
    return modes.empty() ? "" : " under " + mode_list(modes);
}

/// "12%", "0.3%", "less than 0.001%".
std::string share_text(double share) {
    const double percent = 100 * std::min(share, 1.0);
    if (percent < 0.001) {
        return "less than 0.001%";
    }
    return fmt::format("{:.{}f}%", percent, percent < 0.01 ? 3 : percent < 0.1 ? 2 : percent < 10 ? 1 : 0);
}

/// "1,212"
std::string with_commas(const std::string& digits) {
    std::string text;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        text += i != 0 && (digits.size() - i) % 3 == 0 ? "," : "";
        text += digits[i];
    }
    return text;
}

/// The outcomes that there are, by mode, "1,212 with native buffering, 12 with zero"; empty where that is not known, or
/// each run is one.
std::string number_of_outcomes(const SweepResult& result) {
    std::string text;
    bool any_merged = false;
    for (const OutcomesOfMode& each : result.outcomes) {
        if (!each.outcomes) {
            return "";
        }
        any_merged = any_merged || each.merged != 0;
        text += (text.empty() ? "" : ", ") + with_commas(*each.outcomes);
        if (result.outcomes.size() > 1) {
            text += " with " + std::string(replay::buffering_name(each.buffering)) + " buffering";
        }
    }
    return any_merged ? text : "";
}

/// In how many ways runs have ended; empty where there is nothing to tell apart.
std::string printed_text(const SweepResult& result) {
    const PrintedOutputs& printed = result.printed;
    if (printed.different() < 2) {
        return "";
    }
    const bool any_merged = std::any_of(result.interleavings.begin(), result.interleavings.end(),
                                        [](const auto& each) { return each.merged; });
    return fmt::format("the ranks printed {}{} different outputs in {} that came to the end{}",
                       printed.at_limit() || any_merged ? "at least " : "", printed.different(),
                       replay::counted(printed.runs(), "interleaving"),
                       any_merged ? ", not counting what those would have printed that ended before" : "");
}

/// Of runs that ended in states of others; empty where there were none.
std::string outcomes_text(const SweepResult& result) {
    const auto merged = static_cast<std::uint64_t>(std::count_if(
        result.interleavings.begin(), result.interleavings.end(), [](const auto& each) { return each.merged; }));
    std::uint64_t all = 0;
    std::uint64_t compared = 0;
    for (const OutcomesOfMode& each : result.outcomes) {
        all += each.merged;
        compared += each.compared;
    }
    all = std::max(all, merged);
    const std::string number = number_of_outcomes(result);
    std::string text =
        all == 0 ? ""
                 : fmt::format(
                       "{} of them ended in a state in which an earlier one had been, and {} for all that "
                       "follows there{}",
                       all, all == 1 ? "stands" : "stand", number.empty() ? "" : "; outcomes in all: " + number);
    if (compared != 0) {
        text += fmt::format("{}what follows states in which an earlier one had been was compared in {}",
                            text.empty() ? "" : "; ", replay::counted(compared, "state"));
    }
    return text;
}

/// "12 of all 1,458 outcomes lead there; were each choice fair, 0.8% of runs would".
std::string outcomes_text(const SweepResult& result, const OutcomesOfFinding& finding) {
    std::string all;
    for (const OutcomesOfMode& mode : result.outcomes) {
        if (mode.buffering == finding.buffering && mode.outcomes) {
            all = with_commas(*mode.outcomes) + " ";
        }
    }
    const bool several = result.outcomes.size() > 1;
    return fmt::format("{} of all {}outcomes{} {} there; with each choice left to a fair die, {} of runs come there",
                       with_commas(finding.outcomes), all,
                       several ? fmt::format(" with {} buffering", replay::buffering_name(finding.buffering)) : "",
                       finding.outcomes == "1" ? "leads" : "lead", share_text(finding.chance));
}

/// Runs stand for others in this mode, and how many of those show the finding is not known.
bool is_uncounted(const Finding& finding, const OutcomesOfMode& mode) {
    const bool is_seen =
        std::find(finding.buffering.begin(), finding.buffering.end(), mode.buffering) != finding.buffering.end();
    return is_seen && mode.merged != 0 && mode.outcomes &&
           std::none_of(finding.outcomes.begin(), finding.outcomes.end(),
                        [&](const OutcomesOfFinding& each) { return each.buffering == mode.buffering; });
}

/// "found under zero buffering, not under native and infinite buffering"; nothing where there was only one mode.
std::string buffering_text(const ReportInputs& inputs, const Finding& finding) {
    if (inputs.options.buffering.size() < 2 || finding.shown_by == Finding::ShownBy::touches) {
        return "";  // of a few runs nothing follows about another mode
    }
    std::vector<replay::Buffering> without;
    for (const auto& [mode, counts] : inputs.result.by_buffering) {
        if (std::find(finding.buffering.begin(), finding.buffering.end(), mode) == finding.buffering.end()) {
            without.push_back(mode);
        }
    }
    std::string text = "found under " + mode_list(finding.buffering);
    if (!without.empty()) {
        const bool all_ended = std::all_of(without.begin(), without.end(), [&](replay::Buffering mode) {
            return all_came_to_end(inputs.result, mode);
        });
        text += ", not under " + mode_list(without);
        const bool may_miss = inputs.result.clocks_may_miss;
        text += !everything_left_out(inputs.result).empty() ? " in what was explored"
                : may_miss                                  ? ", of which Lamport clocks may have missed outcomes"
                                                            : "";
        text += !all_ended ? ", where interleavings ended before they may have come there"
                : !may_miss && finding.buffering == std::vector{replay::Buffering::zero}
                    ? ": only if standard sends and collectives wait for the others, as MPI allows them to"
                    : "";
    }
    return text;
}

}  // namespace

std::string choice_text(const SweepResult& result, const replay::Epoch& epoch) {
    const bool chooses = replay::chooses_message(epoch.kind);
    std::string call = epoch.call.empty() ? (chooses ? "receive" : "call") : replay::printable(epoch.call);
    if (const std::string place = replay::place_text(epoch.where); !place.empty()) {
        call += " at " + place;
    }
    std::string text = fmt::format("{}#{} ", epoch.id.rank, epoch.id.index);
    if (chooses) {
        text += call + " on " + communicator_name(result, epoch.comm) + ": " + outcome_text(epoch, call);
    } else if (epoch.outcome && !epoch.outcome->gave_up() && !replay::withdraws(epoch.kind)) {
        text += outcome_text(epoch, call);
    } else {
        text += call + ": " + outcome_text(epoch, call);
    }
    text += epoch.forced ? " (forced)" : "";
    if (!epoch.potential_matches.empty()) {
        text += ", could have matched " + senders_text(epoch);
    }
    if (const std::vector<std::uint32_t> others = not_reported(epoch); !others.empty()) {
        text += replay::withdraws(epoch.kind) ? ", could have come too late"
                                              : ", could have reported " + request_list(others);
    }
    return text;
}

namespace {

bool is_needed(const NeededChoices& needed, const replay::EpochId& epoch) {
    return std::any_of(needed.decisions.begin(), needed.decisions.end(),
                       [&](const replay::Decision& decision) { return decision.epoch == epoch; });
}

/// `all`: choices of the run that shows it.
void print_needed(std::ostream& out, const NeededChoices& needed, std::size_t all) {
    if (needed.runs == 0) {  // the sweep's own interleavings tell
        out << (needed.decisions.empty()         ? "  whatever is chosen leads there\n"
                : needed.decisions.size() >= all ? "  the choices that lead there (rank#index):\n"
                                                 : "  the choices that lead there, whatever else is chosen "
                                                   "(rank#index):\n");
        return;
    }
    const std::string tries = replay::counted(needed.runs, "further run");
    if (needed.decisions.empty()) {
        out << fmt::format("  no choice is needed for it, as {} show\n", tries);
        return;
    }
    out << fmt::format(
        "  the {} for it, of {}, as {} show{} (rank#index):\n",
        needed.decisions.size() == 1 ? "choice that is needed" : "choices that are needed",
        std::max(all, needed.decisions.size()), tries,
        needed.all_tried ? "" : "; whether all of them are is not known, for there was no time for more");
}

/// What must not have been; `all`: also where it has not.
void print_own_faults(std::ostream& out, const SweepResult& result, bool all) {
    std::string text;
    const auto add = [&](std::string_view what, std::uint64_t number) {
        if (all || number != 0) {
            text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", what, number);
        }
    };
    if (result.duplicates) {
        add("duplicates run", *result.duplicates);
    }
    add("imprecise matches", result.imprecise_matches);
    add("divergences", result.divergences);
    if (!text.empty()) {
        out << "  " << text << '\n';
    }
}

/// The epochs at which the run could have gone another way; only those whose choice is needed, if that is known.
void print_choices(std::ostream& out, const ReportInputs& inputs, const Finding& finding,
                   const std::vector<std::vector<replay::CodePlace>>* stacks) {
    const SweepResult& result = inputs.result;
    if (finding.shown_by == Finding::ShownBy::touches) {
        return;  // no other run has looked for it
    }
    std::vector<const replay::Epoch*> choices;
    std::size_t all = 0;
    for (const auto& epoch : finding.epochs) {
        const bool counts = is_choice(epoch);
        all += counts ? 1 : 0;
        if (finding.needed ? is_needed(*finding.needed, epoch.id) : counts) {
            choices.push_back(&epoch);
        }
    }
    if (finding.needed) {
        print_needed(out, *finding.needed, all);
    } else if (all != 0 && !choices_matter(result, finding)) {
        out << "  each interleaving that was explored"
            << (finding.count == result.explored ? "" : " and came to its end")
            << " shows it, so no choices are listed\n";
        return;
    } else if (all != 0) {
        // What would have followed from them in runs that ended in states of others only those show.
        const bool is_merged = std::any_of(result.interleavings.begin(), result.interleavings.end(),
                                           [](const InterleavingOutcome& each) { return each.merged; });
        out << "  the choices that lead there" << (is_merged ? "; whether all are needed is not known" : "")
            << " (rank#index):\n";
    }
    for (std::size_t i = 0; i < std::min(choices.size(), most_choices); ++i) {
        out << "    " << choice_text(result, *choices[i]) << '\n';
        // One that is no deeper says no more than the place.
        const auto place = static_cast<std::size_t>(choices[i] - finding.epochs.data());
        if (stacks != nullptr && place < stacks->size() && (*stacks)[place].size() > 1) {
            out << "      " << replay::stack_text((*stacks)[place]) << '\n';
        }
    }
    if (choices.size() > most_choices) {
        out << "    and " << (finding.epochs_omitted != 0 ? "more than " : "") << choices.size() - most_choices
            << " more, in the decision file\n";
    }
}

/// That it is about only in other interleavings than the one that is shown.
std::vector<replay::Rank> other_ranks(const Finding& finding) {
    std::vector<replay::Rank> others;
    std::set_difference(finding.all_ranks.begin(), finding.all_ranks.end(), finding.violation.ranks.begin(),
                        finding.violation.ranks.end(), std::back_inserter(others));
    return others;
}

/// Where to read more of what was found: a command to copy for each kind, in the order of the findings; empty where
/// nothing was.
std::string explaining_text(const SweepResult& result) {
    std::vector<replay::ViolationKind> kinds;
    for (const std::vector<Finding>* findings : {&result.findings, &result.doubts}) {
        for (const Finding& finding : *findings) {
            if (std::find(kinds.begin(), kinds.end(), finding.violation.kind) == kinds.end()) {
                kinds.push_back(finding.violation.kind);
            }
        }
    }
    if (kinds.size() == 1) {
        return "dampi: what it means, with an example: " + explaining_command(text_of(kinds.front())) + "\n";
    }
    std::string text = kinds.empty() ? "" : "dampi: what they mean, with examples:\n";
    for (const replay::ViolationKind kind : kinds) {
        text += "  " + explaining_command(text_of(kind)) + "\n";
    }
    return text;
}

/// What has become of its files: a line for each that fails or is stale.
void print_corpus(std::ostream& out, const ReportInputs& inputs) {
    if (!inputs.options.corpus) {
        return;
    }
    using State = CorpusCase::State;
    const auto count = [&](State state) {
        return std::count_if(inputs.corpus.begin(), inputs.corpus.end(),
                             [state](const CorpusCase& each) { return each.state == state; });
    };
    std::vector<std::string> parts;
    for (const State state : {State::passes, State::fails, State::stale, State::not_run}) {
        if (count(state) != 0) {
            parts.push_back(fmt::format("{} {}", count(state), text_of(state)));
        }
    }
    if (count(State::other) != 0) {
        parts.push_back(fmt::format("{} for other sweeps", count(State::other)));
    }
    const std::string directory = replay::printable(inputs.options.corpus->string());
    out << fmt::format("corpus {}: {}{}{}\n", directory, replay::counted(inputs.corpus.size(), "file"),
                       parts.empty() ? "" : ": ", fmt::join(parts, ", "));
    for (const CorpusCase& each : inputs.corpus) {
        if (each.state == State::fails || each.state == State::stale ||
            (each.state == State::not_run && !each.why.empty())) {
            std::vector<std::string> kinds;
            for (const std::size_t i : each.findings) {
                kinds.emplace_back(text_of(inputs.result.findings.at(i).violation.kind));
            }
            out << fmt::format("  {}: {}\n", replay::printable(each.file),
                               each.state == State::fails
                                   ? fmt::format("fails: {}", fmt::join(kinds, ", "))
                                   : std::string(text_of(each.state)) + ": " + replay::printable(each.why));
        }
    }
    for (const std::string& name : inputs.corpus_added) {
        out << fmt::format("  {}: added\n", replay::printable(name));
    }
    out << '\n';
}

/// Of `run`; empty where nobody wanted MPI to repeat one.
std::string repeated_text(const Confirmation& confirmation, std::string_view run) {
    switch (confirmation.result) {
        case Confirmation::Result::agreed:
            return fmt::format("repeated by MPI itself: {}, with the same result", run);
        case Confirmation::Result::differed:
            return fmt::format("repeated by MPI itself: {}, with another result: {}", run,
                               replay::printable(confirmation.what));
        case Confirmation::Result::no_end:
        case Confirmation::Result::not_tried:
            return confirmation.what.empty()
                       ? std::string()
                       : fmt::format("not repeated by MPI itself: {}: {}", run, replay::printable(confirmation.what));
    }
    return {};
}

/// ", with the fewest choices in number 80, which is shown here"; empty where that is the first.
std::string shown_text(const Finding& finding) {
    if (finding.made_shorter) {
        return ", with the fewest choices in a run that was made for it, which is shown here";
    }
    const replay::Interleaving& shown = finding.reproducer;
    return shown.trial || shown.number <= finding.first_interleaving
               ? ""
               : fmt::format(", with the fewest choices in number {}, which is shown here", shown.number);
}

/// "comes after violation 1 in the same run, and may follow from it"; empty where no other one comes first.
std::string after_text(const SweepResult& result, const Finding& finding) {
    std::vector<std::size_t> numbers = comes_after(result.findings, finding);
    if (numbers.empty()) {
        return "";
    }
    std::string text = numbers.size() == 1 ? "comes after violation " : "comes after violations ";
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ") + std::to_string(numbers[i] + 1);
    }
    return text + " in the same run, and may follow from " + (numbers.size() == 1 ? "it" : "them");
}

/// What else there is of a finding.
struct BesideFinding {
    std::filesystem::path file = {};    ///< its decisions
    std::filesystem::path graph = {};   ///< who waits for whom
    std::filesystem::path needed = {};  ///< the decisions that are needed
    std::vector<std::filesystem::path> outputs = {};
    Confirmation confirmation = {};
    /// By place in its epochs (ListedCalls::choice_stacks); none where they are not known.
    const std::vector<std::vector<replay::CodePlace>>* choice_stacks = nullptr;
};

void print_finding(std::ostream& out, const ReportInputs& inputs, const Finding& finding, std::string_view word,
                   const BesideFinding& beside) {
    const replay::Violation& violation = finding.violation;
    const auto ranks = static_cast<replay::Rank>(inputs.options.processes);
    out << headline(finding, word) << '\n';
    print_situations(out, violation, ranks);
    if (violation.wait_for) {
        print_wait_for(out, *violation.wait_for, ranks);
    }
    print_unmatched(out, violation.unmatched, ranks);
    if (!violation.consequences.empty()) {
        out << "  led to: " << kinds_text(violation.consequences) << '\n';
    }
    for (const OtherForm& each : finding.other_forms) {
        const std::string place = replay::place_text(each.where);
        out << fmt::format("  under {} it is seen as {}{}: {}\n", mode_list(each.buffering), text_of(each.kind),
                           place.empty() ? "" : " at " + place, replay::printable(each.message));
    }
    if (const std::string after = after_text(inputs.result, finding); !after.empty()) {
        out << "  " << after << '\n';
    }
    if (finding.foreseen) {
        out << "  foreseen: another match of interleaving " << finding.first_interleaving
            << " leads there, which was not run\n";
    } else if (finding.shown_by == Finding::ShownBy::touches) {
        out << "  seen in a run beside the sweep's own, which looks for loads and stores"
            << (violation.kind == replay::ViolationKind::rma_race ? "" : "; --check-buffers does in all") << '\n';
    } else if (finding.shown_by == Finding::ShownBy::corpus) {
        out << "  seen in the run of the corpus's " << replay::printable(finding.kept_in) << '\n';
    } else if (is_of_other_buffering(finding, inputs.result)) {
        out << "  seen in a run beside the sweep's own, which a bound has kept from "
            << replay::buffering_name(finding.buffering.front()) << " buffering\n";
    } else if (finding.count == 0) {
        out << "  seen in run " << finding.first_interleaving
            << ", which is none of the interleavings: a trial of a polling call, a random walk's, or not finished\n";
    } else {
        out << "  seen in " << finding.count << " of " << replay::counted(inputs.result.explored, "interleaving")
            << ", first in number " << finding.first_interleaving << shown_text(finding) << '\n';
        for (const OutcomesOfFinding& each : finding.outcomes) {
            out << "  " << outcomes_text(inputs.result, each) << '\n';
        }
        for (const OutcomesOfMode& mode : inputs.result.outcomes) {
            if (is_uncounted(finding, mode)) {
                out << "  of all " << with_commas(*mode.outcomes) << " outcomes"
                    << (inputs.result.outcomes.size() > 1
                            ? fmt::format(" with {} buffering", replay::buffering_name(mode.buffering))
                            : "")
                    << " more may lead there: behind states that runs have met it is not counted\n";
            }
        }
    }
    if (const std::vector<replay::Rank> others = other_ranks(finding); !others.empty()) {
        out << "  in other interleavings in " << replay::rank_list(others, most_alternatives) << '\n';
    }
    if (const std::string modes = buffering_text(inputs, finding); !modes.empty()) {
        out << "  " << modes << '\n';
    }
    if (finding.buffering == std::vector{replay::Buffering::zero} && waits_in_no_send(violation)) {
        out << "  whether a rank waits in a collective for ranks that it needs nothing of is up to the MPI library, "
               "from call "
               "to call: this one may do so, too\n";
    }
    using replay::violation_kinds::Severity;
    if (severity_of(inputs.result, finding) == Severity::portability) {
        const bool of_kind = replay::violation_kinds::line(violation.kind).severity == Severity::portability;
        out << "  severity: portability; "
            << (of_kind ? "this MPI library does what is meant, another one need not"
                        : "this MPI library buffers what is sent, another one need not")
            << (is_portability_as_known(inputs.result, finding)
                    ? "; so says the decision file: its sweep has not seen it with this library's own buffering"
                    : "")
            << '\n';
    }
    print_choices(out, inputs, finding, beside.choice_stacks);
    if (const std::string repeated = repeated_text(beside.confirmation, "this run"); !repeated.empty()) {
        out << "  " << repeated << '\n';
    }
    for (const std::filesystem::path& output : beside.outputs) {
        out << "  the program's output: " << replay::printable((inputs.options.output / output).string()) << '\n';
    }
    if (!beside.file.empty()) {
        out << "  replay: " << replay_command(inputs, beside.file) << '\n';
    }
    if (!beside.needed.empty()) {
        out << "  a decision file with what is needed alone: "
            << replay::printable((inputs.options.output / beside.needed).string()) << '\n';
    }
    if (!beside.graph.empty()) {
        out << "  who waits for whom, for Graphviz: "
            << replay::printable((inputs.options.output / beside.graph).string()) << '\n';
    }
    out << '\n';
}

std::vector<std::string> tokens(const std::string& outcomes) {
    std::string inner = outcomes;
    std::erase_if(inner, [](char c) { return c == '{' || c == '}'; });
    std::istringstream stream(inner);
    std::vector<std::string> all;
    for (std::string token; stream >> token;) {
        all.push_back(token);
    }
    return all;
}

/// A line for each interleaving: what differs from the one before it, and all outcomes.
void print_interleavings(std::ostream& out, const SweepResult& result) {
    if (result.outcomes_omitted) {
        out << (result.explored > result.outcomes_limit
                    ? fmt::format("interleavings are not listed: there are more than {}\n\n", result.outcomes_limit)
                    : "interleavings are not listed: with all their operations the list would be too long\n\n");
        return;
    }
    std::set<std::string> before;
    bool first = true;
    for (const auto& interleaving : result.interleavings) {
        std::string verdicts;
        for (const replay::ViolationKind verdict : interleaving.verdicts) {
            verdicts.append(verdicts.empty() ? "" : ", ").append(text_of(verdict));
        }
        const std::vector<std::string> all = tokens(interleaving.outcomes);
        std::string changed;
        for (const auto& token : all) {
            if (!first && !before.contains(token)) {
                changed.append(" ").append(token);
            }
        }
        const bool one_mode = result.by_buffering.size() < 2;
        out << fmt::format("interleaving {}: {}{}{}{} {}, {}\n", interleaving.number,
                           one_mode ? "" : replay::buffering_name(interleaving.buffering), one_mode ? "" : " ",
                           interleaving.outcomes, changed.empty() ? "" : " new:" + changed,
                           !verdicts.empty()      ? verdicts
                           : interleaving.merged  ? "goes on as an earlier one"
                           : interleaving.went_on ? "goes on in a later one"
                                                  : "clean",
                           replay::duration_text(interleaving.seconds));
        before = std::set<std::string>(all.begin(), all.end());
        first = false;
    }
    out << '\n';
}

/// What random walks say of the number of all interleavings, unless it is known.
void print_size(std::ostream& out, const ReportInputs& inputs) {
    const SweepResult& result = inputs.result;
    const std::optional<heuristics::SizeEstimate> believable = believable_size(result);
    if (!believable || (result.complete() && everything_left_out(result).empty())) {
        return;
    }
    const heuristics::SizeEstimate& size = *believable;
    const std::string by = fmt::format("{} of {}, with {}", size.ended, replay::counted(size.walks, "random walk"),
                                       replay::counted(result.walk_runs, "further run"));
    const std::string about = heuristics::size_text(size);
    if (about.empty()) {
        out << fmt::format(
            "  how many interleavings there are is not known: the walks that came to an end ({}) found "
            "none\n",
            by);
        return;
    }
    const double share = heuristics::LargeNumber(static_cast<double>(result.explored)).ratio(size.mean);
    const std::size_t modes = inputs.options.buffering.size();
    const bool all_modes = modes == 1 || result.by_buffering.size() == modes;
    out << fmt::format("  estimate: {} interleavings in all{}, of which these are {}\n", about,
                       all_modes ? "" : " with the modes of buffering up to now", share_text(share));
    out << fmt::format("    from {}{}\n", by,
                       size.standard_error ? "; +- is the standard error, itself estimated from how much they differ"
                                           : "; too few to tell how good it is");
    if (size.abandoned != 0) {
        out << fmt::format(
            "    {} abandoned, since a run did not follow its decisions: what they would have found is "
            "missing\n",
            size.abandoned == 1 ? "1 walk was" : fmt::format("{} walks were", size.abandoned));
    }
    if (size.ended + size.abandoned < size.walks) {
        out << "    the others did not come to their end; they may be the longer ones, so the number may be too low\n";
    }
}

void print_explored(std::ostream& out, const ReportInputs& inputs) {
    const SweepResult& result = inputs.result;
    const std::string buffering = replay::buffering_word(inputs.options.buffering);
    const bool bytes = inputs.options.buffering.front().counts_bytes();
    out << fmt::format(
        "dampi: {} {} of {} with {} ({} clocks, {}{}{}) in {}\n", inputs.options.replay ? "replayed" : "explored",
        replay::counted(result.explored, "interleaving"), replay::printable(inputs.options.program),
        inputs.options.processes == 1 ? "1 process" : fmt::format("{} processes", inputs.options.processes),
        inputs.clock, buffering == "both" ? "" : fmt::format("{} {}buffering, ", buffering, bytes ? "bytes of " : ""),
        inputs.piggyback == replay::Piggyback::native ? "native piggyback, " : "", inputs.engine,
        replay::duration_text(result.seconds));
    if (inputs.handed_over) {
        out << fmt::format("  the centralized engine began, and handed over: {}\n",
                           replay::printable(inputs.engine_reason));
    } else if (!inputs.engine_reason.empty()) {
        out << fmt::format("  not the centralized engine, which is faster: {}\n",
                           replay::printable(inputs.engine_reason));
    }
    if (inputs.mpi_library.translated) {
        out << "  the program was built with Open MPI: MPICH does what it calls, and buffers as MPICH does\n";
    }
    if (const std::string repeated = repeated_text(inputs.first_run, "the first run");
        !repeated.empty() && !inputs.handed_over) {
        out << "  " << repeated << '\n';
    }
    if (inputs.options.buffering.size() > 1) {
        std::string counts;
        for (const auto& [mode, done] : result.by_buffering) {
            counts += fmt::format("{}{} with {} buffering", counts.empty() ? "" : ", ", done.explored,
                                  replay::buffering_name(mode));
        }
        out << fmt::format("  interleavings: {}\n", counts.empty() ? "none" : counts);
    }
    if (inputs.workers) {
        out << "  " << workers_text(*inputs.workers, inputs.options.verbosity > 0);
    }
    if (result.trials != 0) {
        out << fmt::format("  and {} whether the false answers of polling calls matter\n",
                           result.trials == 1 ? "1 run to see" : fmt::format("{} runs to see", result.trials));
    }
    print_size(out, inputs);
    if (const std::string outcomes = outcomes_text(result); !outcomes.empty()) {
        out << "  " << outcomes << '\n';
    }
    if (!inputs.merging_obstacle.empty() && inputs.engine == replay::engine_name(replay::EngineKind::central) &&
        (result.explored >= many_interleavings || result.pending != 0)) {
        out << fmt::format("  no run ends early in a state in which an earlier one has been: {}\n",
                           replay::printable(inputs.merging_obstacle));
    }
    if (const std::string printed = printed_text(result); !printed.empty()) {
        out << "  " << printed << '\n';
    }
    if (!inputs.options.replay) {
        print_own_faults(out, result, inputs.options.verbosity > 0);
        if (result.unfinished != 0) {
            out << fmt::format("  {} not finished\n",
                               result.unfinished == 1 ? "1 run was" : fmt::format("{} runs were", result.unfinished));
        }
        out << (inputs.clock == "lamport"
                    ? "  Lamport clocks order some events that are concurrent, so rare alternatives can go unseen\n"
                    : "  with vector clocks, complete means all outcomes that the modelled calls can have\n");
        if (!inputs.time_reason.empty()) {
            out << fmt::format("  time was {}: {}\n", inputs.options.virtual_time.value_or(false) ? "virtual" : "real",
                               replay::printable(inputs.time_reason));
        }
        if (inputs.clock == "lamport" && result.pending != 0 && inputs.options.sample != 0U) {
            out << "  how many interleavings there are in all can only be estimated with vector clocks\n";
        }
    }
    if (inputs.options.verbosity > 0) {
        const double runs =
            static_cast<double>(std::max<std::uint64_t>(result.explored + result.trials + result.walk_runs, 1)) / 1000;
        out << fmt::format(
            "  milliseconds of a run: launch {:.1f}, MPI_Init {:.1f}, the program {:.1f}, MPI_Finalize and the end "
            "{:.1f}, "
            "making the record {:.1f}\n",
            result.parts.launch / runs, result.parts.init / runs, result.parts.program / runs,
            result.parts.finalize / runs, result.parts.collection / runs);
        for (const std::string& line : inputs.launching) {
            out << "  " << replay::printable(line) << '\n';
        }
    }
    out << '\n';
}

void print_left_out(std::ostream& out, const SweepResult& result, const std::vector<LeftOut>& left_out) {
    if (left_out.empty()) {
        return;
    }
    out << "left out:\n";
    for (const auto& left : left_out) {
        const std::string how = remedy(left);
        out << "  " << replay::printable(left.what) << (how.empty() ? "" : " (" + how + ")") << '\n';
        for (std::size_t i = 0; i < std::min(left.places.size(), most_places); ++i) {
            const LeftOut::Place& place = left.places[i];
            const std::string where = replay::place_text(place.where);
            out << fmt::format("    {:>8}  {}{}{}\n", place.alternatives == 0 ? "" : std::to_string(place.alternatives),
                               replay::printable(place.call), where.empty() ? "" : " at ", where);
        }
        if (left.places.size() > most_places) {
            out << "    and at " << replay::counted(left.places.size() - most_places, "other place") << '\n';
        }
    }
    if (result.pending > 0) {
        out << "  " << replay::counted(result.pending, "known alternative")
            << " not run, and what would have followed\n";
    }
    out << '\n';
}

/// "8 bytes of `total` (/home/me/sum.c:9)"
std::string changed_text(const ChangedVariable& variable) {
    std::string where;
    if (variable.kind == "heap") {
        where = "to which it points";
    }
    if (variable.declared.line > 0) {
        where += fmt::format("{}{}:{}", where.empty() ? "" : ", ", replay::printable(variable.declared.file),
                             variable.declared.line);
    }
    return fmt::format("{} of `{}`{}", replay::counted(variable.bytes, "byte"), replay::printable(variable.name),
                       where.empty() ? "" : " (" + where + ")");
}

/// "`total` is 0.6 in interleaving 1, and 0.59999999999999998 in interleaving 2"
std::string values_text(const ChangedVariable& variable, const OrderEffect& effect) {
    return fmt::format("`{}`{} is {} in interleaving {}, and {} in interleaving {}", replay::printable(variable.part),
                       variable.type.empty() ? "" : " (" + replay::printable(variable.type) + ")", variable.one,
                       effect.one, variable.other, effect.other);
}

std::string place_of_call(const std::string& call, const replay::CodePlace& where) {
    const std::string place = replay::place_text(where);
    return replay::printable(call) + (place.empty() ? "" : " at " + place);
}

void print_order_effect(std::ostream& out, const OrderEffect& effect) {
    std::string places;
    for (const OrderEffect::Choice& each : effect.choices) {
        places += (places.empty() ? "" : " and ") + place_of_call(each.call, each.where);
    }
    std::string changed;
    for (const ChangedVariable& each : effect.variables) {
        changed += (changed.empty() ? "" : ", ") + changed_text(each);
    }
    out << fmt::format("the order of messages at {} changes what rank {} computes: {} differ when it calls {}\n",
                       places, effect.rank, changed, place_of_call(effect.call, effect.where));
    for (const ChangedVariable& each : effect.variables) {
        if (!each.one.empty() && !each.other.empty()) {
            out << "  " << values_text(each, effect) << '\n';
        }
    }
    for (const OrderEffect::Taken& each : effect.taken) {
        out << fmt::format(
            "  what came out differently in rank {}, in order: {} in interleaving {}, and {} in "
            "interleaving {}\n",
            each.rank, each.one, effect.one, each.other, effect.other);
    }
    if (!effect.also.empty()) {
        out << fmt::format("  so it is in {}\n", replay::rank_list(effect.also, most_alternatives));
    }
    out << '\n';
}

/// With --explain-order.
void print_order(std::ostream& out, const ReportInputs& inputs) {
    const OrderAccount& order = inputs.order;
    for (const OrderEffect& effect : order.effects) {
        print_order_effect(out, effect);
    }
    if (!order.why_not.empty()) {
        out << "what the order of messages changes cannot be told: " << replay::printable(order.why_not) << "\n\n";
    } else if (order.nothing_differs) {
        out << "the order of messages does not change what the ranks have computed at their end: in all outcomes each "
               "of them has the same memory in MPI_Finalize\n\n";
    } else if (order.asked && order.effects.empty()) {
        out << fmt::format("no variable is known that the order of messages changes; compared: {}\n\n",
                           replay::counted(order.compared, "interleaving"));
    }
}

/// Whose doubt it is.
std::string_view doubt_word(replay::ViolationKind kind) {
    switch (kind) {
        case replay::ViolationKind::possible_livelock:
            return "not certain";
        case replay::ViolationKind::divergence:
            return "the program did not repeat itself";
        default:
            return "dampi's own doubt, not an error of the program";
    }
}

}  // namespace

namespace {

/// With --gen-suppressions.
void print_suppressions(std::ostream& out, const ReportInputs& inputs) {
    const std::vector<Finding>& findings = inputs.result.findings;
    std::set<std::string> lines;
    for (std::size_t i = 0; i < findings.size() && inputs.options.gen_suppressions; ++i) {
        if (!inputs.passing.suppressed(i)) {
            const replay::Violation& violation = findings[i].violation;
            lines.merge(suppression_lines(violation, violation.kind));
            for (const replay::ViolationKind kind : violation.consequences) {
                if (!replay::is_doubt(kind)) {
                    lines.merge(suppression_lines(violation, kind));
                }
            }
        }
    }
    if (lines.empty()) {
        return;
    }
    out << "for a file for --suppressions:\n";
    for (const std::string& line : lines) {
        out << line << '\n';
    }
    out << '\n';
}

}  // namespace

std::string finding_text(const ReportInputs& inputs, std::size_t i) {
    std::ostringstream out;
    print_finding(out, inputs, inputs.result.findings.at(i), violation_word(inputs, i, true),
                  {.file = file_at(inputs.finding_files, i),
                   .graph = file_at(inputs.finding_graphs, i),
                   .needed = file_at(inputs.needed_files, i),
                   .outputs = outputs_of(inputs, i),
                   .confirmation = confirmation_of(inputs, i),
                   .choice_stacks = i < inputs.calls.size() ? &inputs.calls[i].choice_stacks : nullptr});
    return out.str();
}

std::string replay_command(const ReportInputs& inputs, const std::filesystem::path& decision_file) {
    const Options& options = inputs.options;
    std::string command = fmt::format("dampi-run -n {}", options.processes);
    const auto add = [&command](const std::string& word) { command.append(" ").append(replay::shell_quoted(word)); };
    for (const auto& [name, value] : options.environment) {
        add("--env");
        add(name + "=" + value);
    }
    // Otherwise the decision file's word is enough.
    if (options.given.contains("--mpi")) {
        add("--mpi");
        add(options.mpi);
    }
    if (options.launcher) {
        add("--launcher");
        add(*options.launcher);
    }
    if (!options.message_leaks) {
        add("--no-message-leaks");
    }
    if (options.warns_unusual) {
        add("--warn");
        add("unusual");
    }
    if (!options.good_exits.empty()) {
        add("--exit-ok");
        add(fmt::format("{}", fmt::join(options.good_exits, ",")));
    }
    for (const std::string& name : options.wrappers) {
        add("--wrapper");
        add(name);
    }
    if (options.fresh_directory) {
        add("--fresh-dir");
    }
    add("--replay");
    add((options.output / decision_file).string());  // an absolute decision_file stays as it is
    if (options.program.starts_with('-')) {
        add("--");
    }
    add(options.program);
    for (const auto& argument : options.arguments) {
        add(argument);
    }
    return command + read_from(options);
}

std::string verdict_line(const ReportInputs& inputs) {
    const SweepResult& result = inputs.result;
    const std::vector<LeftOut> left_out = everything_left_out(result);
    const std::string runs = replay::counted(result.explored, "interleaving") + under_modes(result);
    const std::string found = replay::counted(result.findings.size(), "finding");
    const bool lamport = inputs.clock == "lamport";
    const std::string complete = lamport ? "complete as far as Lamport clocks can tell" : "complete";
    std::string because;
    const Verdict verdict = verdict_of(inputs);
    switch (verdict) {
        case Verdict::clean:
            because = complete + ": " + runs;
            if (const std::string number = number_of_outcomes(result); !number.empty()) {
                because += ", which stand for all outcomes of the modelled calls: " + number;
            } else if (!lamport) {
                because += "; all outcomes of the modelled calls";
            }
            if (!inputs.not_checked.empty()) {
                because += fmt::format("; not checked: {}", fmt::join(inputs.not_checked, ", "));
            }
            break;
        case Verdict::violations:
            because = found + " in " + runs + "; " +
                      (left_out.empty() ? complete : "incomplete: " + bounds(result, left_out));
            break;
        case Verdict::incomplete:
            because = "no violation in " + runs + "; " + bounds(result, left_out);
            break;
        case Verdict::error:
            because = (result.merge_faults.empty() ? "ended early after " : "of no use, after ") + runs + " with " +
                      found + ": " + replay::printable(inputs.error);
            break;
    }
    return fmt::format("dampi: verdict: {}{} ({})", verdict_name(verdict), inputs.cached.empty() ? "" : ", cached",
                       because);
}

std::string make_text_report(const ReportInputs& inputs) {
    const SweepResult& result = inputs.result;
    std::ostringstream out;
    if (inputs.options.verbosity < 0) {
        for (std::size_t i = 0; i < result.findings.size(); ++i) {
            out << headline(result.findings[i], violation_word(inputs, i, false)) << '\n';
        }
        print_corpus(out, inputs);
        print_suppressions(out, inputs);
        out << passing_text(inputs) << verdict_line(inputs) << '\n';
        return out.str();
    }
    if (inputs.options.verbosity > 0) {
        print_interleavings(out, result);
    }
    print_explored(out, inputs);
    for (std::size_t i = 0; i < result.findings.size(); ++i) {
        out << finding_text(inputs, i);
    }
    for (std::size_t i = 0; i < result.doubts.size(); ++i) {
        print_finding(out, inputs, result.doubts[i], doubt_word(result.doubts[i].violation.kind),
                      {.file = file_at(inputs.doubt_files, i)});
    }
    for (const auto& note : result.notes) {
        print_finding(out, inputs, note, "note, not a violation", {});
    }
    print_order(out, inputs);
    print_left_out(out, result, everything_left_out(result));
    for (const std::string& sentence : names_of_nothing(inputs)) {
        out << "note: " << replay::printable(sentence) << "\n\n";
    }
    if (const std::string command = resume_command(inputs); !command.empty()) {
        out << "go on with: " << command << "\n\n";
    }
    if (inputs.was_finished) {
        out << "this sweep had come to its end before: there was nothing left to run\n\n";
    }
    if (!inputs.cached.empty()) {
        out << "nothing was run: since this sweep was made nothing has changed that decides what it finds; it is kept "
               "in "
            << replay::printable(inputs.cached) << "\n\n";
    }
    print_corpus(out, inputs);
    print_suppressions(out, inputs);
    if (const std::string passing = passing_text(inputs); !passing.empty()) {
        out << passing << '\n';
    }
    out << explaining_text(result);
    if (!result.findings.empty() || !result.doubts.empty()) {
        out << "dampi: look at it in a browser: " << replay::printable((inputs.options.output / page_name).string())
            << '\n';
    }
    if (verdict_of(inputs) == Verdict::clean && !inputs.not_checked.empty()) {
        out << "dampi: what is not checked, why, and what to do: " << explaining_command(not_checked_word) << '\n';
    }
    out << verdict_line(inputs) << '\n';
    return out.str();
}

}  // namespace dampi::scheduler
