#include "scheduler/sweep/sweep_account.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace dampi::scheduler {
namespace {

LeftOutAlternatives::Otherwise too_large_to_follow() {
    return {.what =
                "runs of which there is more to be kept than an entry of the journal can hold: what would have "
                "followed from them",
            .remedy = "a smaller problem leaves less",
            .call = {},
            .where = {}};
}

LeftOutAlternatives::Otherwise too_many_sightings() {
    return {.what = "runs that have more findings than an entry of the journal can hold",
            .remedy = "",
            .call = {},
            .where = {}};
}

constexpr std::string_view not_all_kept = " ... }";  ///< end of outcomes that are not all known
constexpr const char* too_large_to_repeat = " (the decisions that lead there are too many to be kept)";

bool has_violation(const replay::RunRecord& record, replay::ViolationKind kind) {
    return std::any_of(record.violations.begin(), record.violations.end(),
                       [&](const replay::Violation& violation) { return violation.kind == kind; });
}

/// Says where a run first did not do what was decided, unless its record does.
void note_divergence(const Deviation& deviation, replay::RunRecord& record) {
    if (has_violation(record, replay::ViolationKind::divergence) || record.diverged) {
        return;
    }
    replay::Violation divergence{.kind = replay::ViolationKind::divergence,
                                 .message = deviation.text,
                                 .ranks = {deviation.epoch.rank},
                                 .situations = {}};
    const auto epoch = std::find_if(record.epochs.begin(), record.epochs.end(),
                                    [&](const replay::Epoch& each) { return each.id == deviation.epoch; });
    if (epoch != record.epochs.end()) {
        divergence.situations = {{.rank = epoch->id.rank, .call = epoch->call, .detail = "", .where = epoch->where}};
    }
    record.violations.push_back(std::move(divergence));
}

std::uint64_t count_duplicates(const std::vector<InterleavingOutcome>& interleavings) {
    std::vector<std::tuple<replay::Buffering, std::string_view>> all;
    for (const InterleavingOutcome& each : interleavings) {
        const bool doubtful = std::any_of(each.verdicts.begin(), each.verdicts.end(), replay::went_otherwise);
        if (!doubtful && !each.went_on && !each.outcomes.ends_with(not_all_kept)) {
            all.emplace_back(each.buffering, each.outcomes);
        }
    }
    std::sort(all.begin(), all.end());
    return static_cast<std::uint64_t>(all.end() - std::unique(all.begin(), all.end()));
}

}  // namespace

bool SweepEntry::shorten() {
    constexpr std::size_t most_sightings = 100;
    if (!lesson.steps.empty() || !lesson.found.empty() || !lesson.behaviour.empty() || !lesson.polling.empty() ||
        (lesson.sampled && lesson.sampled->walk)) {
        ++lesson.left_out.otherwise[too_large_to_follow()];
        lesson.steps.clear();
        lesson.bounds.clear();
        lesson.settled.clear();
        lesson.rest.clear();
        lesson.found.clear();
        lesson.behaviour.clear();
        lesson.polling.clear();
        if (lesson.sampled && lesson.sampled->walk) {
            lesson.sampled->walk->second = {.walk = {}, .chance = {0, 0}, .deviated = true};
        }
        return true;
    }
    bool shorter = false;
    for (Sighting& each : sightings) {
        if (each.shown && !(each.shown->epochs.empty() && each.shown->reproducer.decisions.empty())) {
            each.shown->epochs_omitted += each.shown->epochs.size();
            each.shown->epochs.clear();
            each.shown->reproducer.decisions.clear();
            each.shown->violation.message += too_large_to_repeat;
            shorter = true;
        }
    }
    if (!shorter && sightings.size() > most_sightings) {
        ++lesson.left_out.otherwise[too_many_sightings()];
        sightings.resize(most_sightings);
        shorter = true;
    }
    return shorter;
}

SweepEntry SweepAccount::look(const replay::Interleaving& interleaving, replay::RunRecord record, Lesson lesson,
                              bool unfinished, const SitesOfRun& sites) const {
    using Flaw = SweepEntry::Flaw;
    SweepEntry entry;
    entry.trial = interleaving.trial;
    entry.parts = record.parts;
    if (unfinished) {
        entry.flaw = Flaw::unfinished;
    } else if (has_violation(record, replay::ViolationKind::imprecise_match)) {
        entry.flaw = Flaw::imprecise_match;
    } else if (record.cut_short && !record.diverged) {
        entry.flaw = Flaw::cut_short;
    } else if (lesson.deviation) {
        entry.flaw = Flaw::divergence;
        note_divergence(*lesson.deviation, record);
    }
    const auto counted = [&](const replay::Epoch& epoch) {
        if (counted_ != CountedPolls::undecided) {
            return counted_ == CountedPolls::all;
        }
        const auto decided =
            std::lower_bound(interleaving.decisions.begin(), interleaving.decisions.end(), epoch.id,
                             [](const replay::Decision& each, const replay::EpochId& id) { return each.epoch < id; });
        return decided != interleaving.decisions.end() && decided->epoch == epoch.id ? decided->counted
                                                                                     : replay::may_be_counted(epoch);
    };
    for (replay::Epoch& epoch : record.epochs) {
        epoch.counted = counted(epoch);
    }
    record.diverged = entry.flaw == Flaw::divergence || entry.flaw == Flaw::imprecise_match;
    entry.outcome = {
        .number = interleaving.number,
        .outcomes = format_outcomes(record.epochs, std::function<bool(const replay::Epoch&)>(
                                                       [](const replay::Epoch& epoch) { return epoch.counted; })),
        .verdicts = {},
        .seconds = record.seconds,
        .buffering = interleaving.buffering,
        .merged = record.merged.has_value()};
    if (!record.omitted.empty()) {
        entry.outcome.outcomes.back() = ' ';
        entry.outcome.outcomes += not_all_kept.substr(1);
    }
    if (entry.flaw == Flaw::none || entry.flaw == Flaw::cut_short) {
        entry.sites = state_.sites.look(sites, entry.outcome.sites);
        // Each outcome in the text has one; the digest at the end of a long text has none.
        const auto in_text = std::count(entry.outcome.outcomes.begin(), entry.outcome.outcomes.end(), '#');
        entry.outcome.sites.resize(std::min(entry.outcome.sites.size(), static_cast<std::size_t>(in_text)));
    }
    entry.sightings = state_.collector.look(interleaving, record, entry.outcome.verdicts);
    if (entry.flaw == Flaw::none) {
        entry.printed = record.printed;
    }
    entry.not_modelled = std::move(record.not_modelled);
    for (auto& [id, name] : record.communicators) {
        if (!state_.communicators.contains(id)) {
            entry.communicators.emplace(id, std::move(name));
        }
    }
    entry.lesson = std::move(lesson);
    return entry;
}

void SweepAccount::apply(const SweepEntry& entry) {
    using Flaw = SweepEntry::Flaw;
    state_.seconds = entry.seconds;
    state_.collector.apply(entry.outcome.number, entry.outcome.buffering, entry.sightings,
                           !entry.trial && entry.flaw != Flaw::unfinished);
    state_.communicators.insert(entry.communicators.begin(), entry.communicators.end());
    if (entry.flaw == Flaw::unfinished) {
        return;
    }
    state_.cut_short += entry.flaw == Flaw::cut_short ? 1 : 0;
    state_.imprecise_matches += entry.flaw == Flaw::imprecise_match ? 1 : 0;
    state_.divergences += entry.flaw == Flaw::divergence ? 1 : 0;
    state_.parts += entry.parts;
    state_.sites.apply(entry.sites);
    for (const auto& [feature, calls] : entry.not_modelled) {
        state_.not_modelled[feature].add(calls);
    }
    if (entry.trial) {
        const bool of_a_walk = entry.lesson.sampled && entry.lesson.sampled->inner_number == 0;
        ++(of_a_walk ? state_.walk_runs : state_.trials);
        return;  // what it did wrong counts; what it came to is not among the outcomes that are explored
    }
    if (entry.printed) {
        state_.printed.add(*entry.printed);
    }
    ++state_.explored;
    ++state_.by_buffering[entry.outcome.buffering].explored;
    state_.outcome_bytes += entry.outcome.outcomes.size();
    if (state_.explored > outcomes_limit_ || state_.outcome_bytes > most_outcome_bytes) {
        state_.outcomes_omitted = true;
        std::vector<InterleavingOutcome>().swap(state_.outcomes);
        std::vector<std::uint64_t>().swap(state_.went_on);
    } else if (!state_.outcomes_omitted) {
        state_.outcomes.push_back(entry.outcome);
        if (entry.lesson.goes_on_from) {
            // The lesson's numbers are those of its part of the sweep.
            state_.went_on.push_back(entry.outcome.number - entry.lesson.number + *entry.lesson.goes_on_from);
        }
        state_.outcome_sites += entry.outcome.sites.size();
        if (state_.outcome_sites > most_outcome_sites) {
            state_.outcomes.back().sites = {};
        }
    }
}

SweepResult SweepAccount::result() const {
    SweepResult result;
    result.explored = state_.explored;
    result.trials = state_.trials;
    result.walk_runs = state_.walk_runs;
    result.parts = state_.parts;
    result.imprecise_matches = state_.imprecise_matches;
    result.divergences = state_.divergences;
    result.findings = state_.collector.findings();
    result.doubts = state_.collector.doubts();
    result.notes = state_.collector.notes();
    result.not_modelled = state_.not_modelled;
    result.communicators = state_.communicators;
    result.by_buffering = state_.by_buffering;
    result.interleavings = state_.outcomes;
    std::sort(result.interleavings.begin(), result.interleavings.end(),
              [](const InterleavingOutcome& a, const InterleavingOutcome& b) { return a.number < b.number; });
    for (const std::uint64_t number : state_.went_on) {
        const auto earlier = std::lower_bound(
            result.interleavings.begin(), result.interleavings.end(), number,
            [](const InterleavingOutcome& each, std::uint64_t wanted) { return each.number < wanted; });
        if (earlier != result.interleavings.end() && earlier->number == number) {
            earlier->merged = false;
            earlier->went_on = true;
        }
    }
    result.outcomes_omitted = state_.outcomes_omitted;
    result.outcomes_limit = outcomes_limit_;
    result.printed = state_.printed;
    result.sites = state_.sites;
    result.outcome_sites_omitted = state_.outcome_sites > most_outcome_sites;
    if (!state_.outcomes_omitted) {
        result.duplicates = count_duplicates(result.interleavings);
    }
    if (state_.cut_short != 0) {
        result.left_out.push_back(
            {"cut-short", std::to_string(state_.cut_short) + (state_.cut_short == 1 ? " run was" : " runs were") +
                              " ended while some ranks still computed, since others had died, could never go on, or "
                              "did not come back to MPI: what they would have done later is unknown"});
    }
    return result;
}

}  // namespace dampi::scheduler
