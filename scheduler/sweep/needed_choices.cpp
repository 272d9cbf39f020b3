// See needed_choices.hpp. Decisions are dropped as delta debugging drops lines (Zeller and Hildebrandt, 2002): ever
// smaller parts of them, until none of those that are left can be.
#include "scheduler/sweep/needed_choices.hpp"

#include "replay/cause.hpp"
#include "replay/epoch_names.hpp"
#include "replay/other_answers.hpp"
#include "replay/violation_kind.hpp"
#include "scheduler/sweep/findings.hpp"
#include "scheduler/sweep/outcome_words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dampi::scheduler {
namespace {

using replay::Decision;

/// In how many ways what is left to chance is tried: MPI's own, and some random ones.
constexpr std::array<std::uint64_t, 4> seeds{0, 1, 2, 3};
/// Of interleavings without the finding, as text.
constexpr std::size_t most_known_bytes = std::size_t{32} << 20;

/// What a decision's outcome is called in the text of a run's outcomes.
std::string word_of(const Decision& decision) {
    replay::Epoch epoch;
    epoch.id = decision.epoch;
    epoch.kind = decision.kind;
    epoch.outcome = decision.outcome;
    const std::string text = format_outcomes({epoch}, decision.counted);
    return text.substr(1, text.size() - 2);
}

/// The most decisions that are looked for in interleavings, for a finding: some tenths of a second.
constexpr std::size_t most_looks = 200'000;

/// The decisions about operations that could have come out otherwise. Of those that are not kept it is not known.
std::vector<Decision> choices_of(const Finding& finding) {
    std::set<replay::EpochId> fixed;
    for (const replay::Epoch& epoch : finding.epochs) {
        if (!is_choice(epoch)) {
            fixed.insert(epoch.id);
        }
    }
    std::vector<Decision> all = finding.reproducer.decisions;
    std::erase_if(all, [&](const Decision& decision) { return fixed.contains(decision.epoch); });
    return all;
}

/// The interleavings that do not show a kind of violation, by their outcomes.
class PassingRuns {
public:
    PassingRuns(const SweepResult& result, const Finding& finding) {
        std::size_t bytes = 0;
        for (const InterleavingOutcome& each : result.interleavings) {
            const bool tells =
                each.buffering == finding.reproducer.buffering && tells_of_passing(each, finding.violation.kind);
            bytes += tells ? each.outcomes.size() : 0;
            if (tells && bytes <= most_known_bytes) {
                runs_.push_back(words_of(each.outcomes));
            }
        }
    }

    /// Whether one of them has all these outcomes.
    [[nodiscard]] std::size_t size() const { return runs_.size(); }

    [[nodiscard]] bool any_with(const std::vector<Decision>& decisions) const {
        std::vector<std::string> words;
        for (const Decision& decision : decisions) {
            words.push_back(word_of(decision));
        }
        std::sort(words.begin(), words.end());
        return std::any_of(runs_.begin(), runs_.end(), [&](const auto& run) {
            return std::includes(run.begin(), run.end(), words.begin(), words.end(), std::less<std::string_view>());
        });
    }

private:
    /// Sorted; each also without its number of false answers, which is no part of the outcome for most.
    static std::vector<std::string_view> words_of(std::string_view text) {
        std::vector<std::string_view> words;
        constexpr std::string_view between = "{} ";
        for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos;) {
            const std::size_t end = std::min(text.find_first_of(between, at), text.size());
            const std::string_view word = text.substr(at, end - at);
            words.push_back(word);
            if (const std::string_view shorter = without_false_answers(word); shorter != word) {
                words.push_back(shorter);
            }
            at = text.find_first_not_of(between, end);
        }
        std::sort(words.begin(), words.end());
        return words;
    }

    std::vector<std::vector<std::string_view>> runs_;
};

class Search {
public:
    Search(const SweepResult& result, const Finding& finding, const NeededChoicesSettings& settings)
        : finding_(finding),
          settings_(settings),
          cause_(replay::cause_of(finding.violation)),
          passing_(result, finding) {}

    std::optional<NeededChoices> find() {
        std::vector<Decision> needed = finding_.reproducer.decisions;
        if (!shows(needed, seeds.front())) {
            return std::nullopt;
        }
        // The rest mostly comes by itself.
        for (std::vector<Decision> first : {std::vector<Decision>{}, choices_of(finding_)}) {
            if (first.size() < needed.size() && enough(first)) {
                needed = std::move(first);
                break;
            }
        }
        for (std::size_t parts = 2; !needed.empty() && !over_;) {
            const std::size_t size = (needed.size() + parts - 1) / parts;
            const std::optional<std::vector<Decision>> fewer = without_a_part(needed, size);
            if (fewer) {
                needed = *fewer;
                parts = std::max<std::size_t>(parts - 1, 2);
            } else if (size == 1) {
                break;
            } else {
                parts = std::min(needed.size(), 2 * parts);
            }
        }
        return NeededChoices{.decisions = std::move(needed), .runs = runs_, .all_tried = !over_};
    }

private:
    std::optional<std::vector<Decision>> without_a_part(const std::vector<Decision>& all, std::size_t size) {
        for (std::size_t begin = 0; begin < all.size() && !over_; begin += size) {
            std::vector<Decision> rest = all;
            const auto first = rest.begin() + static_cast<std::ptrdiff_t>(begin);
            rest.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, all.size() - begin)));
            if (enough(rest)) {
                return rest;
            }
        }
        return std::nullopt;
    }

    bool enough(const std::vector<Decision>& decisions) {
        return !passing_.any_with(decisions) &&
               std::all_of(seeds.begin(), seeds.end(), [&](std::uint64_t seed) { return shows(decisions, seed); });
    }

    bool shows(const std::vector<Decision>& decisions, std::uint64_t seed) {
        if (over_ || runs_ >= settings_.most_runs || !settings_.go_on()) {
            over_ = true;
            return false;
        }
        ++runs_;
        replay::Interleaving interleaving;
        interleaving.decisions = decisions;
        interleaving.buffering = finding_.reproducer.buffering;
        interleaving.free_seed = seed;
        const SweepResult result = settings_.run(interleaving);
        over_ = over_ || result.unfinished != 0;
        return result.explored == 1 && result.doubts.empty() &&
               std::any_of(result.findings.begin(), result.findings.end(),
                           [&](const Finding& each) { return replay::cause_of(each.violation) == cause_; });
    }

    const Finding& finding_;
    const NeededChoicesSettings& settings_;
    const std::string cause_;
    const PassingRuns passing_;
    std::uint64_t runs_ = 0;
    bool over_ = false;  ///< the budget is
};

}  // namespace

bool tells_of_passing(const InterleavingOutcome& interleaving, replay::ViolationKind kind) {
    // What a merged run came to is seen elsewhere; from one in doubt nothing follows.
    return !interleaving.merged &&
           std::none_of(interleaving.verdicts.begin(), interleaving.verdicts.end(), [&](auto verdict) {
               const auto severity = replay::violation_kinds::line(verdict).severity;
               const bool may_end_early = replay::is_fault(severity) && !is_seen_at_end(verdict);
               return verdict == kind || replay::is_doubt(verdict) || (is_seen_at_end(kind) && may_end_early);
           });
}

void find_choices_that_interleavings_need(SweepResult& result) {
    const bool all_known = result.complete() && result.left_out_by_bounds.empty() && !result.outcomes_omitted &&
                           std::none_of(result.interleavings.begin(), result.interleavings.end(), [](const auto& each) {
                               return each.merged || each.outcomes.size() > longest_outcomes;
                           });
    if (!all_known) {
        return;
    }
    std::map<replay::ViolationKind, int> of_kind;
    for (const Finding& finding : result.findings) {
        ++of_kind[finding.violation.kind];
    }
    for (Finding& finding : result.findings) {
        if (finding.foreseen || finding.shown_by != Finding::ShownBy::sweep || finding.count == 0 ||
            of_kind[finding.violation.kind] != 1 || finding.epochs_omitted != 0) {
            continue;
        }
        std::vector<Decision> needed = choices_of(finding);
        const PassingRuns passing(result, finding);
        if (passing.size() == 0 || needed.size() * passing.size() > most_looks || passing.any_with(needed)) {
            continue;
        }
        for (std::size_t i = 0; i < needed.size();) {
            std::vector<Decision> fewer = needed;
            fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
            if (passing.any_with(fewer)) {
                ++i;
            } else {
                needed = std::move(fewer);
            }
        }
        finding.needed = NeededChoices{.decisions = std::move(needed), .runs = 0, .all_tried = true};
    }
}

void look_for_needed_choices(SweepResult& result, const NeededChoicesSettings& settings) {
    for (Finding& finding : result.findings) {
        if (!finding.foreseen && finding.shown_by != Finding::ShownBy::touches) {  // whose cause other runs do not show
            finding.needed = Search(result, finding, settings).find();
        }
    }
}

}  // namespace dampi::scheduler
