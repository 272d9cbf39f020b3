#include "scheduler/calls/calls_of_findings.hpp"

#include "replay/pinned_outcomes.hpp"
#include "scheduler/calls/stacks_of_findings.hpp"
#include "scheduler/report/nearest_passing.hpp"
#include "scheduler/report/worst_first.hpp"
#include "scheduler/sweep/findings.hpp"
#include "scheduler/sweep/outcome_words.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace dampi::scheduler {
namespace {

using replay::Epoch;
using replay::EpochId;
using Run = CallsOfFindingsSettings::Run;

/// Further runs to come to one that passes.
constexpr int most_approaches = 12;
/// Text of outcomes that is compared to find the nearest ones.
constexpr std::uint64_t most_compared_bytes = std::uint64_t{32} << 20;

/// What each epoch came to, without how often polls answered false before.
std::map<EpochId, std::string> words_of(std::string_view text) {
    std::map<EpochId, std::string> words;
    for (OutcomeWords each(text); each.now(); each.take()) {
        words.emplace(each.now()->epoch, without_false_answers(each.now()->came_to));
    }
    return words;
}

std::map<EpochId, std::string> words_of(const replay::RunRecord& record) {
    return words_of(format_outcomes(record.epochs, false));
}

bool has(const replay::RunRecord& record, replay::ViolationKind kind) {
    return std::any_of(record.violations.begin(), record.violations.end(),
                       [&](const replay::Violation& each) { return each.kind == kind; });
}

/// As the sweep had it: what the finding's epochs came to, and what is wrong.
bool shows(const Run& run, const Finding& finding) {
    const replay::RunRecord& record = run.record;
    if (record.diverged || record.cut_short || !has(record, finding.violation.kind)) {
        return false;
    }
    const std::map<EpochId, std::string> came_to = words_of(record);
    const std::map<EpochId, std::string> expected = words_of(format_outcomes(finding.epochs, false));
    return std::includes(came_to.begin(), came_to.end(), expected.begin(), expected.end());
}

/// How often stretches of polls answered false before, as far as the text says.
std::map<EpochId, std::uint32_t> false_answers_in(std::string_view text) {
    std::map<EpochId, std::uint32_t> counts;
    for (OutcomeWords each(text); each.now(); each.take()) {
        const std::string_view word = each.now()->came_to;
        const std::size_t at = word.find('~');
        std::uint32_t count = 0;
        if (at != std::string_view::npos &&
            std::from_chars(word.data() + at + 1, word.data() + word.size(), count).ec == std::errc()) {
            counts.emplace(each.now()->epoch, count);
        }
    }
    return counts;
}

/// What is known of a run of the sweep.
struct Wanted {
    std::map<EpochId, std::string> words;
    std::map<EpochId, std::uint32_t> false_answers;  ///< where they are part of the outcome

    explicit Wanted(std::string_view text) : words(words_of(text)), false_answers(false_answers_in(text)) {}

    /// The epoch as that run had it; nothing where that is not known.
    [[nodiscard]] std::optional<Epoch> of(const Epoch& epoch) const {
        const auto word = words.find(epoch.id);
        std::optional<Epoch> made = word == words.end() ? std::nullopt : with_outcome(epoch, word->second);
        if (const auto count = false_answers.find(epoch.id); made && count != false_answers.end()) {
            made->outcome->false_answers = count->second;
        }
        return made;
    }
};

/// How to come nearer to a run with these outcomes: nothing where that is not known.
std::optional<replay::Interleaving> approach(const replay::RunRecord& record, const Wanted& wanted,
                                             const replay::Interleaving& begin) {
    std::vector<const Epoch*> others;
    const std::map<EpochId, std::string> came_to = words_of(record);
    for (const Epoch& epoch : record.epochs) {
        const auto now = came_to.find(epoch.id);
        const auto then = wanted.words.find(epoch.id);
        if (now != came_to.end() && (then == wanted.words.end() || now->second != then->second)) {
            others.push_back(&epoch);
        }
    }
    const auto follows_another = [&](const Epoch& epoch) {
        return std::any_of(others.begin(), others.end(), [&](const Epoch* other) {
            return other->id != epoch.id && ((other->id.rank == epoch.id.rank && other->id.index < epoch.id.index) ||
                                             epoch.past.vector.knows(other->id.rank, other->id.index));
        });
    };
    replay::RunRecord kept;
    bool changed = false;
    for (const Epoch& epoch : record.epochs) {
        if (!epoch.outcome || follows_another(epoch)) {
            continue;
        }
        if (std::find(others.begin(), others.end(), &epoch) == others.end()) {
            kept.epochs.push_back(epoch);
            continue;
        }
        std::optional<Epoch> other = wanted.of(epoch);
        if (!other) {
            return std::nullopt;
        }
        kept.epochs.push_back(std::move(*other));
        changed = true;
    }
    return changed ? std::optional(replay::pin_outcomes(begin, kept)) : std::nullopt;
}

/// The run of the sweep's interleaving `number`, which does not fail so, from one that is near to it.
std::optional<Run> run_of(const SweepResult& result, std::uint64_t number, replay::RunRecord near,
                          const replay::Violation& failing, const CallsOfFindingsSettings& settings) {
    const InterleavingOutcome* const found = result.interleaving(number);
    if (found == nullptr || found->outcomes.size() > longest_outcomes) {
        return std::nullopt;
    }
    const Wanted wanted(found->outcomes);
    replay::Interleaving begin;
    begin.number = number;
    begin.buffering = found->buffering;
    for (int i = 0; i < most_approaches && settings.go_on(); ++i) {
        // At first what is the same may be enough: then the two differ by their buffering.
        const std::optional<replay::Interleaving> next = i == 0 && words_of(near) == wanted.words
                                                             ? std::optional(replay::pin_outcomes(begin, near))
                                                             : approach(near, wanted, begin);
        if (!next) {
            return std::nullopt;
        }
        Run run = settings.run(*next);
        if (run.record.diverged || run.record.cut_short) {
            return std::nullopt;
        }
        if (words_of(run.record) == wanted.words) {
            return has(run.record, failing.kind) ? std::nullopt : std::optional(std::move(run));
        }
        near = std::move(run.record);
    }
    return std::nullopt;
}

/// MPI_Abort tells the engine nothing of its place; what is wrong in the run does.
void place_aborts(Run& run) {
    for (replay::CallEvent& call : run.calls) {
        if (call.kind != replay::CallKind::abort || !call.where.module.empty()) {
            continue;
        }
        for (const replay::Violation& violation : run.record.violations) {
            for (const replay::RankSituation& situation : violation.situations) {
                if (situation.rank == call.name.rank && situation.call == call.function) {
                    call.where = situation.where;
                }
            }
        }
    }
}

class Listing {
public:
    Listing(SweepResult& result, clocks::Protocol protocol, const CallsOfFindingsSettings& settings)
        : result_(result), protocol_(protocol), settings_(settings) {}

    void fill(Finding& finding, ListedCalls& listed) {
        Run run = failing_run(finding);
        if (!shows(run, finding)) {
            listed.why_not = settings_.go_on() ? "the run that fails came out differently when it was made again"
                                               : "there was no time to make the run that fails again";
            return;
        }
        listed.choice_stacks = take_stacks_of_choices(run.record, finding.epochs);
        tell_apart(run.record.violations, finding);
        take_stacks(run.record.violations, finding.violation);
        if (!settings_.lists_calls) {
            return;
        }
        place_aborts(run);
        if (!keep(std::move(run.calls), listed.failing)) {
            listed.why_not = "the run that fails has too many of them";
            return;
        }
        const std::optional<Difference> difference = nearest_passing(result_, finding, protocol_, bytes_left_);
        if (!difference) {
            return;
        }
        if (protocol_ != clocks::Protocol::vector) {
            listed.why_not = "with Lamport clocks the run that passes cannot be made again";
            return;
        }
        std::optional<Run> passing =
            run_of(result_, difference->passing, std::move(run.record), finding.violation, settings_);
        if (!passing) {
            listed.why_not = settings_.go_on()
                                 ? "only what its choices came to is kept of the run that passes, which was not enough "
                                   "to make it again"
                                 : "there was no time to make the run that passes again";
        } else if (keep(std::move(passing->calls), listed.passing)) {
            listed.passing_number = difference->passing;
        } else {
            listed.why_not = "the run that passes has too many of them";
        }
    }

    /// What is to be added to the sweep's findings: parts of those that were filled, with their places among them.
    [[nodiscard]] const std::vector<std::pair<std::size_t, Finding>>& parts() const { return parts_; }

private:
    [[nodiscard]] Run failing_run(const Finding& finding) const {
        if (main_has_returned(finding.violation)) {
            Run run = settings_.run_following_main(finding.reproducer);
            if (shows(run, finding)) {
                return run;
            }
        }
        return settings_.run(finding.reproducer);
    }

    /// The finding keeps the last of its callers.
    void tell_apart(const std::vector<replay::Violation>& seen, Finding& finding) {
        const std::vector<replay::Violation> apart = told_apart(seen, finding.violation);
        for (const replay::Violation& each : apart) {
            finding.violation = each;
            finding.all_ranks = each.ranks;
            if (&each != &apart.back()) {
                parts_.emplace_back(static_cast<std::size_t>(&finding - result_.findings.data()), finding);
            }
        }
    }

    bool keep(std::vector<replay::CallEvent>&& calls, std::vector<replay::CallEvent>& kept) {
        if (calls.size() <= left_) {
            left_ -= calls.size();
            kept = std::move(calls);
        }
        return !kept.empty();
    }

    SweepResult& result_;
    clocks::Protocol protocol_;
    const CallsOfFindingsSettings& settings_;
    std::vector<std::pair<std::size_t, Finding>> parts_;
    std::size_t left_ = most_listed_calls;
    std::uint64_t bytes_left_ = most_compared_bytes;
};

}  // namespace

ListedFindings calls_of_findings(SweepResult& result, clocks::Protocol protocol,
                                 const CallsOfFindingsSettings& settings) {
    ListedFindings found;
    std::vector<ListedCalls>& all = found.calls;
    all.resize(result.findings.size());
    Listing listing(result, protocol, settings);
    for (const FindingPlace& place : worst_first(result)) {
        if (place.list != 0) {
            break;
        }
        Finding& finding = result.findings[place.index];
        ListedCalls& listed = all[place.index];
        if (!settings.lists_calls) {
            listed.why_not = "only the centralized engine lists them";
        }
        if (finding.foreseen || finding.shown_by != Finding::ShownBy::sweep ||
            (!settings.lists_calls && !other_run_tells_more(finding.violation) &&
             !choices_lack_stacks(finding.epochs))) {
            continue;
        }
        if (settings.go_on()) {
            listing.fill(finding, listed);
        } else if (settings.lists_calls) {
            listed.why_not = "there was no time to make its runs again";
        }
    }
    for (const auto& [whole, part] : listing.parts()) {
        result.findings.push_back(part);
        all.push_back(ListedCalls(all[whole]));
        found.parts_of.push_back(whole);
    }
    return found;
}

}  // namespace dampi::scheduler
