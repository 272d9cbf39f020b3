// See findings.hpp.
#include "scheduler/sweep/findings.hpp"

#include "base/hash.hpp"
#include "replay/cause.hpp"
#include "replay/other_answers.hpp"
#include "replay/pinned_outcomes.hpp"
#include "scheduler/exploration/causality.hpp"
#include "scheduler/sweep/aftermath.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace dampi::scheduler {

namespace {

/// Both are sorted, and so is what comes of it; each rank is in it once.
void add_ranks(std::vector<replay::Rank>& ranks, const std::vector<replay::Rank>& more) {
    std::vector<replay::Rank> all;
    std::set_union(ranks.begin(), ranks.end(), more.begin(), more.end(), std::back_inserter(all));
    ranks = std::move(all);
}

/// The epochs that a finding shows, in their order.
void show_epochs(const std::vector<replay::Epoch>& all, Evidence& evidence) {
    if (all.size() <= most_shown_epochs) {
        evidence.epochs = all;
        return;
    }
    std::vector<std::size_t> chosen;
    for (const bool choice : {true, false}) {
        for (std::size_t i = 0; i < all.size() && chosen.size() < most_shown_epochs; ++i) {
            if (replay::is_choice(all[i]) == choice) {
                chosen.push_back(i);
            }
        }
    }
    std::sort(chosen.begin(), chosen.end());
    for (const std::size_t i : chosen) {
        evidence.epochs.push_back(all[i]);
    }
    evidence.epochs_omitted = all.size() - chosen.size();
}

}  // namespace

std::string format_outcomes(const std::vector<replay::Epoch>& epochs, bool with_false_answers) {
    return format_outcomes(epochs, [=](const replay::Epoch& /*epoch*/) { return with_false_answers; });
}

std::string format_outcomes(const std::vector<replay::Epoch>& epochs,
                            const std::function<bool(const replay::Epoch&)>& counted) {
    std::vector<const replay::Epoch*> matched;
    for (const auto& epoch : epochs) {
        if (epoch.outcome) {
            matched.push_back(&epoch);
        }
    }
    std::sort(matched.begin(), matched.end(),
              [](const replay::Epoch* a, const replay::Epoch* b) { return a->id < b->id; });
    std::string text = "{";
    const auto add = [&](auto number) {
        std::array<char, 24> digits{};
        text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr);
    };
    for (const auto* epoch : matched) {
        const replay::Outcome& outcome = *epoch->outcome;
        text += text.size() > 1 ? " " : "";
        add(epoch->id.rank);
        text += '#';
        add(epoch->id.index);
        if (outcome.poll != 0) {
            text += '@';
            add(outcome.poll);
        }
        if (outcome.gave_up()) {
            text += "=none";
        } else if (replay::chooses_message(epoch->kind)) {
            text += "<-";
            add(outcome.source);
        } else {
            char separator = '=';
            for (const std::uint32_t position : outcome.completed) {
                text += separator;
                add(position);
                separator = '+';
            }
        }
        if (outcome.false_answers != 0 && counted(*epoch)) {
            text += '~';
            add(outcome.false_answers);
        }
    }
    if (text.size() > longest_outcomes) {
        const std::size_t end = text.rfind(' ', longest_outcomes) + 1;
        const std::uint64_t digest = base::Hash().add(std::string_view(text).substr(end)).value();
        text.resize(end);
        text += fmt::format("... {:016x}", digest);
    }
    return text + "}";
}

namespace {

/// What is known of a run that differs from this one by the outcome of the epoch: what did not come after it. Of its
/// rank, only what was issued before: what comes next may want the same message.
replay::RunRecord with_outcome(const replay::RunRecord& record, const replay::EpochId& id,
                               const replay::Outcome& outcome) {
    const std::size_t index = *record.place(id);
    const Causality causality(record);
    replay::RunRecord other;
    other.protocol = record.protocol;
    for (std::size_t i = 0; i < record.epochs.size(); ++i) {
        const replay::Epoch& epoch = record.epochs[i];
        if (i == index) {
            replay::Epoch& changed = other.epochs.emplace_back(epoch);
            auto& matches = changed.potential_matches;
            std::erase_if(matches, [&](const auto& match) { return match.source == outcome.source; });
            if (epoch.outcome) {
                matches.push_back(
                    {.source = epoch.outcome->source, .tag = epoch.outcome->tag, .number = epoch.outcome->number});
                std::sort(matches.begin(), matches.end(),
                          [](const auto& a, const auto& b) { return a.source < b.source; });
            }
            changed.outcome = outcome;
            changed.forced = true;
        } else if (epoch.outcome && !(epoch.id.rank == id.rank && epoch.id.index > id.index) &&
                   !causality.precedes(index, i)) {
            other.epochs.push_back(epoch);
        }
    }
    return other;
}

bool decides(const replay::Interleaving& interleaving, const ForeseenOutcome& foreseen) {
    return std::any_of(interleaving.decisions.begin(), interleaving.decisions.end(), [&](const auto& decision) {
        return decision.epoch == foreseen.epoch && decision.outcome.source == foreseen.source &&
               decision.outcome.number == foreseen.number;
    });
}

}  // namespace

Evidence FindingCollector::foreseen_evidence(const replay::ForeseenViolation& foreseen,
                                             const replay::Interleaving& interleaving,
                                             const replay::RunRecord& record) const {
    const replay::RunRecord other = with_outcome(record, foreseen.epoch, foreseen.outcome);
    replay::Interleaving given = interleaving;
    std::erase_if(given.decisions, [&](const replay::Decision& decision) {
        return decision.epoch == foreseen.epoch || !other.place(decision.epoch);
    });
    Evidence evidence{.violation = foreseen.violation,
                      .reproducer = replay::pin_outcomes(given, other),
                      .epochs = {},
                      .epochs_omitted = 0,
                      .decisions = interleaving.decisions.size() + 1};
    show_epochs(other.epochs, evidence);
    return evidence;
}

std::vector<Sighting> FindingCollector::look(const replay::Interleaving& interleaving, const replay::RunRecord& record,
                                             std::vector<replay::ViolationKind>& kinds) const {
    std::map<std::pair<Sighting::Sort, std::string>, Sighting> seen;  // a run that shows it twice is one interleaving
    std::set<replay::ViolationKind> all_kinds;
    const auto see = [&](Sighting::Sort sort, const replay::Violation& violation) {
        Sighting made = sighting(sort, violation, interleaving, record);
        const auto [first, is_new] = seen.try_emplace({sort, made.key}, std::move(made));
        if (!is_new) {
            add_ranks(first->second.ranks, violation.ranks);
            auto& consequences = first->second.consequences;
            consequences.insert(consequences.end(), violation.consequences.begin(), violation.consequences.end());
        }
    };
    bool doubted = false;
    for (const auto& violation : record.violations) {
        const bool doubt = replay::is_doubt(violation.kind);
        if (record.diverged && replay::is_stuck(violation.kind)) {
            continue;
        }
        doubted = doubted || doubt;
        all_kinds.insert(violation.kind);
        see(doubt ? Sighting::Sort::doubt : Sighting::Sort::finding, violation);
    }
    if (record.diverged && !doubted) {
        const replay::Violation divergence{
            replay::ViolationKind::divergence, "a rank did not follow its decisions", {}, {}};
        all_kinds.insert(divergence.kind);
        see(Sighting::Sort::doubt, divergence);
    }
    for (const auto& note : record.notes) {
        see(Sighting::Sort::note, note);
    }
    kinds.assign(all_kinds.begin(), all_kinds.end());
    std::vector<Sighting> sightings;
    const Entries& known = entries_of(Sighting::Sort::finding);
    for (const replay::ForeseenViolation& each : record.foreseen) {
        const ForeseenOutcome outcome{each.epoch, each.outcome.source, each.outcome.number};
        std::string key = replay::cause_of(each.violation);
        const auto place = std::pair(Sighting::Sort::finding, key);
        if (record.diverged || known.contains(key) || seen.contains(place) || refuted_.contains(outcome) ||
            !record.place(each.epoch)) {
            continue;
        }
        Sighting made{
            .sort = Sighting::Sort::finding, .key = std::move(key), .ranks = each.violation.ranks, .foreseen = outcome};
        made.shown = foreseen_evidence(each, interleaving, record);
        seen.emplace(place, std::move(made));
    }
    for (const auto& [key, entry] : known) {
        if (record.diverged && entry.foreseen && decides(interleaving, *entry.foreseen)) {
            sightings.push_back({.sort = Sighting::Sort::finding,
                                 .key = key,
                                 .ranks = {},
                                 .foreseen = entry.foreseen,
                                 .refuted = true});
        }
    }
    for (auto& [cause, after] : aftermath_of(record.violations)) {
        if (const auto found = seen.find({Sighting::Sort::finding, cause}); found != seen.end()) {
            found->second.after = std::move(after);
        }
    }
    for (auto& [key, each] : seen) {
        sightings.push_back(std::move(each));
    }
    return sightings;
}

Sighting FindingCollector::sighting(Sighting::Sort sort, const replay::Violation& violation,
                                    const replay::Interleaving& interleaving, const replay::RunRecord& record) const {
    Sighting made{.sort = sort,
                  .key = replay::cause_of(violation),
                  .ranks = violation.ranks,
                  .consequences = violation.consequences};
    const auto rank_of = [](const replay::Interleaving& run, std::uint64_t decisions) {
        return std::tuple(run.buffering, decisions, run.number);
    };
    const std::uint64_t decisions = interleaving.decisions.size();
    const auto known = entries_of(sort).find(made.key);
    if (known == entries_of(sort).end() || known->second.foreseen ||
        rank_of(interleaving, decisions) < rank_of(known->second.finding.reproducer, known->second.decisions)) {
        made.shown = Evidence{
            .violation = violation,
            .reproducer = sort == Sighting::Sort::doubt ? interleaving : replay::pin_outcomes(interleaving, record),
            .epochs = {},
            .epochs_omitted = 0,
            .decisions = decisions};
        show_epochs(record.epochs, *made.shown);
    }
    return made;
}

void FindingCollector::apply(std::uint64_t number, replay::Buffering buffering, const std::vector<Sighting>& sightings,
                             bool counts) {
    for (const Sighting& sighting : sightings) {
        if (sighting.refuted) {
            refuted_.insert(*sighting.foreseen);
            Entries& findings = entries_[static_cast<std::size_t>(sighting.sort)];
            if (const auto found = findings.find(sighting.key);
                found != findings.end() && found->second.foreseen == sighting.foreseen) {
                findings.erase(found);
            }
            continue;
        }
        const auto [found, is_new] = entries_[static_cast<std::size_t>(sighting.sort)].try_emplace(sighting.key);
        Entry& entry = found->second;
        Finding& finding = entry.finding;
        finding.cause = sighting.key;
        finding.count += counts && !sighting.foreseen ? 1 : 0;
        const bool first_shown = is_new || (entry.foreseen && !sighting.foreseen);
        finding.first_interleaving = first_shown ? number : std::min(finding.first_interleaving, number);
        finding.foreseen = sighting.foreseen.has_value();
        if (first_shown) {
            finding.all_ranks.clear();
            finding.after = sighting.after;
        } else {
            std::erase_if(finding.after, [&](const std::string& cause) {
                return !std::binary_search(sighting.after.begin(), sighting.after.end(), cause);
            });
        }
        add_ranks(finding.all_ranks, sighting.ranks);
        entry.foreseen = sighting.foreseen;
        const auto mode = std::lower_bound(finding.buffering.begin(), finding.buffering.end(), buffering);
        if (mode == finding.buffering.end() || *mode != buffering) {
            finding.buffering.insert(mode, buffering);
        }
        std::vector<replay::ViolationKind> consequences = sighting.consequences;
        consequences.insert(consequences.end(), finding.violation.consequences.begin(),
                            finding.violation.consequences.end());
        if (sighting.shown) {
            entry.decisions = sighting.shown->decisions;
            finding.violation = sighting.shown->violation;
            finding.reproducer = sighting.shown->reproducer;
            finding.epochs = sighting.shown->epochs;
            finding.epochs_omitted = sighting.shown->epochs_omitted;
        }
        for (const replay::ViolationKind kind : consequences) {
            replay::add_consequence(finding.violation, kind);
        }
    }
}

std::set<std::uint64_t> FindingCollector::reproducers() const {
    std::set<std::uint64_t> numbers;
    for (const auto sort : {Sighting::Sort::finding, Sighting::Sort::doubt}) {
        for (const auto& [key, entry] : entries_of(sort)) {
            numbers.insert({entry.finding.first_interleaving, entry.finding.reproducer.number});
        }
    }
    return numbers;
}

std::vector<Finding> FindingCollector::sorted(const Entries& entries) {
    std::vector<Finding> all;
    for (const auto& [key, entry] : entries) {
        all.push_back(entry.finding);
    }
    std::stable_sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) {
        // What comes after another one has been seen with it each time.
        return std::pair(a.first_interleaving, !a.after.empty()) < std::pair(b.first_interleaving, !b.after.empty());
    });
    return all;
}

}  // namespace dampi::scheduler
