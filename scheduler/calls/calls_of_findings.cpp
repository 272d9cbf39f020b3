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

/// As the sweep had it: what the finding's epochs came to, and what is wrong.
bool shows(const Run& run, const Finding& finding) {
    const replay::RunRecord& record = run.record;
    if (record.diverged || record.cut_short ||
        std::none_of(record.violations.begin(), record.violations.end(),
                     [&](const replay::Violation& each) { return each.kind == finding.violation.kind; })) {
        return false;
    }
    const std::map<EpochId, std::string> came_to = words_of(record);
    const std::map<EpochId, std::string> expected = words_of(format_outcomes(finding.epochs, false));
    return std::includes(came_to.begin(), came_to.end(), expected.begin(), expected.end());
}

/// The outcome of this name that the epoch could have had, as far as the run knows one.
std::optional<replay::Outcome> outcome_of(const Epoch& epoch, std::string_view word) {
    replay::Outcome outcome;
    const auto number = [&](auto& value) {
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        word.remove_prefix(static_cast<std::size_t>(end - word.data()));
        return error == std::errc();
    };
    if (word.starts_with("<-")) {
        word.remove_prefix(2);
        if (!number(outcome.source) || !word.empty() || !replay::chooses_message(epoch.kind)) {
            return std::nullopt;
        }
        const auto found = std::find_if(epoch.potential_matches.begin(), epoch.potential_matches.end(),
                                        [&](const auto& match) { return match.source == outcome.source; });
        if (found == epoch.potential_matches.end()) {
            return std::nullopt;
        }
        outcome.tag = found->tag;
        outcome.number = found->number;
        return outcome;
    }
    if (replay::chooses_message(epoch.kind)) {
        return std::nullopt;
    }
    while (word.starts_with(outcome.completed.empty() ? '=' : '+')) {
        word.remove_prefix(1);
        if (!number(outcome.completed.emplace_back())) {
            return std::nullopt;
        }
    }
    return word.empty() && !outcome.completed.empty() ? std::optional(outcome) : std::nullopt;
}

/// How to come nearer to a run with these outcomes: nothing where that is not known.
std::optional<replay::Interleaving> approach(const replay::RunRecord& record,
                                             const std::map<EpochId, std::string>& wanted,
                                             const replay::Interleaving& begin) {
    std::vector<const Epoch*> others;
    const std::map<EpochId, std::string> came_to = words_of(record);
    for (const Epoch& epoch : record.epochs) {
        const auto now = came_to.find(epoch.id);
        const auto then = wanted.find(epoch.id);
        if (now != came_to.end() && (then == wanted.end() || now->second != then->second)) {
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
        kept.epochs.push_back(epoch);
        if (std::find(others.begin(), others.end(), &epoch) != others.end()) {
            const auto then = wanted.find(epoch.id);
            const auto outcome = then == wanted.end() ? std::nullopt : outcome_of(epoch, then->second);
            if (!outcome) {
                return std::nullopt;
            }
            kept.epochs.back().outcome = outcome;
            changed = true;
        }
    }
    return changed ? std::optional(replay::pin_outcomes(begin, kept)) : std::nullopt;
}

/// The run of the sweep's interleaving `number`, from one that is near to it.
std::optional<Run> run_of(const SweepResult& result, std::uint64_t number, replay::RunRecord near,
                          const CallsOfFindingsSettings& settings) {
    const InterleavingOutcome* const found = result.interleaving(number);
    if (found == nullptr || found->outcomes.size() > longest_outcomes) {
        return std::nullopt;
    }
    const std::map<EpochId, std::string> wanted = words_of(found->outcomes);
    replay::Interleaving begin;
    begin.number = number;
    begin.buffering = found->buffering;
    for (int i = 0; i < most_approaches && settings.go_on(); ++i) {
        // At first what is the same may be enough: then the two differ by their buffering.
        const std::optional<replay::Interleaving> next = i == 0 && words_of(near) == wanted
                                                             ? std::optional(replay::pin_outcomes(begin, near))
                                                             : approach(near, wanted, begin);
        if (!next) {
            return std::nullopt;
        }
        Run run = settings.run(*next);
        if (run.record.diverged || run.record.cut_short) {
            return std::nullopt;
        }
        if (words_of(run.record) == wanted) {
            return run;
        }
        near = std::move(run.record);
    }
    return std::nullopt;
}

}  // namespace

ListedFindings calls_of_findings(SweepResult& result, clocks::Protocol protocol,
                                 const CallsOfFindingsSettings& settings) {
    ListedFindings found;
    std::vector<ListedCalls>& all = found.calls;
    all.resize(result.findings.size());
    std::vector<Finding> parts;
    std::size_t left = most_listed_calls;
    std::uint64_t bytes_left = most_compared_bytes;
    const auto keep = [&](std::vector<replay::CallEvent>&& calls, std::vector<replay::CallEvent>& kept) {
        if (calls.size() <= left) {
            left -= calls.size();
            kept = std::move(calls);
        }
        return !kept.empty();
    };
    for (const FindingPlace& place : worst_first(result)) {
        if (place.list != 0 || !settings.go_on()) {
            break;
        }
        Finding& finding = result.findings[place.index];
        if (finding.foreseen || finding.shown_by != Finding::ShownBy::sweep ||
            (!settings.lists_calls && !may_be_passed_on(finding.violation))) {
            continue;
        }
        ListedCalls& listed = all[place.index];
        Run run = settings.run(finding.reproducer);
        if (!shows(run, finding)) {
            continue;
        }
        const std::vector<replay::Violation> apart = told_apart(run.record.violations, finding.violation);
        for (const replay::Violation& each : apart) {
            finding.violation = each;
            if (&each != &apart.back()) {
                parts.push_back(finding);
                found.parts_of.push_back(place.index);
            }
        }
        take_stacks(run.record.violations, finding.violation);
        if (!keep(std::move(run.calls), listed.failing) || protocol != clocks::Protocol::vector) {
            continue;
        }
        const std::optional<Difference> difference = nearest_passing(result, finding, protocol, bytes_left);
        if (!difference) {
            continue;
        }
        std::optional<Run> passing = run_of(result, difference->passing, std::move(run.record), settings);
        if (passing && keep(std::move(passing->calls), listed.passing)) {
            listed.passing_number = difference->passing;
        }
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
        result.findings.push_back(std::move(parts[i]));
        all.push_back(all[found.parts_of[i]]);
    }
    return found;
}

}  // namespace dampi::scheduler
