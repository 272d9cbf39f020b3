#include "scheduler/sweep_account.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace dampi::scheduler {
namespace {

bool has_violation(const replay::RunRecord& record, std::string_view kind) {
    return std::any_of(record.violations.begin(), record.violations.end(),
                       [&](const replay::Violation& violation) { return violation.kind == kind; });
}

/// Says where a run first did not do what was decided, unless its record does.
void note_divergence(const Deviation& deviation, replay::RunRecord& record) {
    if (has_violation(record, "divergence") || record.diverged) {
        return;
    }
    replay::Violation divergence{
        .kind = "divergence", .message = deviation.text, .ranks = {deviation.epoch.rank}, .situations = {}};
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
        const bool doubtful = std::any_of(each.verdicts.begin(), each.verdicts.end(), [](const std::string& kind) {
            return kind == "divergence" || kind == "imprecise-match";
        });
        if (!doubtful) {
            all.emplace_back(each.buffering, each.outcomes);
        }
    }
    std::sort(all.begin(), all.end());
    return static_cast<std::uint64_t>(all.end() - std::unique(all.begin(), all.end()));
}

}  // namespace

SweepEntry SweepAccount::look(const replay::Interleaving& interleaving, replay::RunRecord record, Lesson lesson,
                              bool unfinished) const {
    using Flaw = SweepEntry::Flaw;
    SweepEntry entry;
    entry.trial = interleaving.trial;
    if (unfinished) {
        entry.flaw = Flaw::unfinished;
    } else if (record.cut_short) {
        entry.flaw = Flaw::cut_short;
    } else if (lesson.deviation) {
        entry.flaw = has_violation(record, "imprecise-match") ? Flaw::imprecise_match : Flaw::divergence;
        if (entry.flaw == Flaw::divergence) {
            note_divergence(*lesson.deviation, record);
        }
    }
    record.diverged = entry.flaw == Flaw::divergence || entry.flaw == Flaw::imprecise_match;
    entry.outcome = {.number = interleaving.number,
                     .outcomes = format_outcomes(record.epochs, with_false_answers_),
                     .verdicts = {},
                     .seconds = record.seconds,
                     .buffering = interleaving.buffering};
    entry.sightings = collector_.look(interleaving, record, entry.outcome.verdicts);
    entry.not_modelled = std::move(record.not_modelled);
    for (auto& [id, name] : record.communicators) {
        if (!communicators_.contains(id)) {
            entry.communicators.emplace(id, std::move(name));
        }
    }
    entry.lesson = std::move(lesson);
    return entry;
}

void SweepAccount::apply(const SweepEntry& entry) {
    using Flaw = SweepEntry::Flaw;
    collector_.apply(entry.outcome.number, entry.outcome.buffering, entry.sightings);
    communicators_.insert(entry.communicators.begin(), entry.communicators.end());
    if (entry.flaw == Flaw::unfinished) {
        return;
    }
    cut_short_ += entry.flaw == Flaw::cut_short ? 1 : 0;
    imprecise_matches_ += entry.flaw == Flaw::imprecise_match ? 1 : 0;
    divergences_ += entry.flaw == Flaw::divergence ? 1 : 0;
    for (const auto& [feature, count] : entry.not_modelled) {
        not_modelled_[feature] += count;
    }
    if (entry.trial) {
        ++trials_;
        return;  // what it did wrong counts; what it came to is not among the outcomes that are explored
    }
    ++explored_;
    ++by_buffering_[entry.outcome.buffering].explored;
    if (explored_ > outcomes_limit_) {
        outcomes_omitted_ = true;
        std::vector<InterleavingOutcome>().swap(outcomes_);
    } else {
        outcomes_.push_back(entry.outcome);
    }
}

SweepResult SweepAccount::result() const {
    SweepResult result;
    result.explored = explored_;
    result.trials = trials_;
    result.imprecise_matches = imprecise_matches_;
    result.divergences = divergences_;
    result.findings = collector_.findings();
    result.doubts = collector_.doubts();
    result.notes = collector_.notes();
    result.not_modelled = not_modelled_;
    result.communicators = communicators_;
    result.by_buffering = by_buffering_;
    result.interleavings = outcomes_;
    std::sort(result.interleavings.begin(), result.interleavings.end(),
              [](const InterleavingOutcome& a, const InterleavingOutcome& b) { return a.number < b.number; });
    result.outcomes_omitted = outcomes_omitted_;
    result.outcomes_limit = outcomes_limit_;
    if (!outcomes_omitted_) {
        result.duplicates = count_duplicates(result.interleavings);
    }
    if (cut_short_ != 0) {
        result.left_out.push_back(
            {"cut-short", std::to_string(cut_short_) + (cut_short_ == 1 ? " run was" : " runs were") +
                              " ended while some ranks still computed, since others had died, could never go on, or "
                              "did not come back to MPI: what they would have done later is unknown"});
    }
    return result;
}

}  // namespace dampi::scheduler
