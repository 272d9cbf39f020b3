// See nearest_passing.hpp.
#include "scheduler/report/nearest_passing.hpp"

#include "scheduler/sweep/findings.hpp"
#include "scheduler/sweep/outcome_words.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace dampi::scheduler {
namespace {

/// Calls `visit(failing, passing)` for each epoch that is in either, in order; null for the one that it is not in.
/// Stops when it returns false.
template <typename Visit>
void compare(std::string_view failing, std::string_view passing, const Visit& visit) {
    OutcomeWords a(failing);
    OutcomeWords b(passing);
    while (a.now() || b.now()) {
        const bool from_a = a.now() && (!b.now() || a.now()->epoch <= b.now()->epoch);
        const bool from_b = b.now() && (!a.now() || b.now()->epoch <= a.now()->epoch);
        if (!visit(from_a ? &*a.now() : nullptr, from_b ? &*b.now() : nullptr)) {
            return;
        }
        if (from_a) {
            a.take();
        }
        if (from_b) {
            b.take();
        }
    }
}

bool same(const OutcomeWord* failing, const OutcomeWord* passing) {
    return failing != nullptr && passing != nullptr && failing->came_to == passing->came_to;
}

/// Up to `most`, after which it is not counted on.
std::uint64_t distance(std::string_view failing, std::string_view passing, std::uint64_t most) {
    std::uint64_t differing = 0;
    compare(failing, passing, [&](const OutcomeWord* a, const OutcomeWord* b) {
        differing += same(a, b) ? 0 : 1;
        return differing < most;
    });
    return differing;
}

/// The run that shows the finding; that of a trial is none of the interleavings, and known by its epochs.
std::optional<InterleavingOutcome> failing_run(const SweepResult& result, const Finding& finding) {
    const InterleavingOutcome* const listed = result.interleaving(finding.reproducer.number);
    if (!finding.reproducer.trial && listed != nullptr) {
        return *listed;
    }
    if (finding.epochs_omitted != 0) {
        return std::nullopt;
    }
    InterleavingOutcome made;
    made.number = finding.reproducer.number;
    made.outcomes = format_outcomes(finding.epochs, std::function<bool(const replay::Epoch&)>(
                                                        [](const replay::Epoch& each) { return each.counted; }));
    made.buffering = finding.reproducer.buffering;
    return made;
}

class Listing {
public:
    Listing(const InterleavingOutcome& failing, const InterleavingOutcome& passing, const Finding& finding,
            clocks::Protocol protocol)
        : failing_(failing), passing_(passing), finding_(finding), protocol_(protocol) {}

    void fill(Difference& difference) {
        compare(failing_.outcomes, passing_.outcomes, [&](const OutcomeWord* a, const OutcomeWord* b) {
            add(difference, a, b);
            place_in_failing_ += a == nullptr ? 0 : 1;
            place_in_passing_ += b == nullptr ? 0 : 1;
            return true;
        });
        mark_first(difference);
        std::stable_sort(difference.choices.begin(), difference.choices.end(),
                         [](const OtherOutcome& a, const OtherOutcome& b) { return a.first > b.first; });
    }

private:
    static OutcomeOfRun made(const OutcomeWord& token, const InterleavingOutcome& run, std::size_t place) {
        OutcomeOfRun outcome{.epoch = token.epoch, .came_to = std::string(token.came_to), .site = {}};
        if (place < run.sites.size() && run.sites[place] != CallSites::unknown) {
            outcome.site = run.sites[place];
        }
        return outcome;
    }

    void add(Difference& difference, const OutcomeWord* a, const OutcomeWord* b) {
        const replay::Rank rank = a != nullptr ? a->epoch.rank : b->epoch.rank;
        if (rank != rank_) {
            rank_ = rank;
            same_ = 0;
            differs_ = false;
        }
        const bool is_same = same(a, b);
        if (is_same && !differs_) {
            ++same_;
            return;
        }
        if (!differs_) {
            differs_ = true;
            if (difference.ranks.size() < most_listed_ranks) {
                difference.ranks.push_back({.rank = rank, .same = same_, .failing = {}, .passing = {}});
            } else {
                ++difference.ranks_omitted;
            }
        }
        if (!is_same) {
            ++difference.differing;
            changed_.emplace_back(a != nullptr ? a->epoch : b->epoch);
        }
        if (!is_same && a != nullptr && b != nullptr) {
            if (difference.choices.size() < most_listed_choices) {
                difference.choices.push_back({.failing = made(*a, failing_, place_in_failing_),
                                              .passing = made(*b, passing_, place_in_passing_)});
            } else {
                ++difference.choices_omitted;
            }
        }
        if (difference.ranks.empty() || difference.ranks.back().rank != rank) {
            return;
        }
        RankDifference& of_rank = difference.ranks.back();
        const auto list = [](const OutcomeWord* token, const InterleavingOutcome& run, std::size_t place,
                             std::vector<OutcomeOfRun>& all, std::uint64_t& omitted) {
            if (token != nullptr && all.size() < most_listed_outcomes) {
                all.push_back(made(*token, run, place));
            } else if (token != nullptr) {
                ++omitted;
            }
        };
        list(a, failing_, place_in_failing_, of_rank.failing, of_rank.failing_omitted);
        list(b, passing_, place_in_passing_, of_rank.passing, of_rank.passing_omitted);
    }

    /// Nothing that differs is in its past. With Lamport clocks nothing is known of that.
    void mark_first(Difference& difference) const {
        for (OtherOutcome& choice : difference.choices) {
            const auto epoch = std::find_if(finding_.epochs.begin(), finding_.epochs.end(),
                                            [&](const replay::Epoch& each) { return each.id == choice.failing.epoch; });
            choice.first = protocol_ == clocks::Protocol::vector && epoch != finding_.epochs.end() &&
                           std::none_of(changed_.begin(), changed_.end(), [&](const replay::EpochId& other) {
                               return other != epoch->id && epoch->past.vector.knows(other.rank, other.index);
                           });
        }
    }

    const InterleavingOutcome& failing_;
    const InterleavingOutcome& passing_;
    const Finding& finding_;
    clocks::Protocol protocol_;
    std::size_t place_in_failing_ = 0;
    std::size_t place_in_passing_ = 0;
    replay::Rank rank_ = -1;
    std::uint64_t same_ = 0;
    bool differs_ = false;
    std::vector<replay::EpochId> changed_;
};

}  // namespace

std::optional<Difference> nearest_passing(const SweepResult& result, const Finding& finding, clocks::Protocol protocol,
                                          std::uint64_t& bytes_left) {
    if (finding.foreseen || finding.shown_by == Finding::ShownBy::touches) {
        return std::nullopt;
    }
    const std::optional<InterleavingOutcome> failing = failing_run(result, finding);
    if (!failing || result.outcomes_omitted) {
        return std::nullopt;
    }
    const InterleavingOutcome* best = nullptr;
    std::tuple<bool, bool, std::uint64_t> least{true, true, 0};
    for (const InterleavingOutcome& each : result.interleavings) {
        const bool clean = each.verdicts.empty();
        const bool doubtful = std::any_of(each.verdicts.begin(), each.verdicts.end(), replay::is_doubt);
        const bool shows_it =
            std::find(each.verdicts.begin(), each.verdicts.end(), finding.violation.kind) != each.verdicts.end();
        const std::pair sort{!clean, each.buffering != failing->buffering};
        if (each.merged || shows_it || doubtful ||
            (best != nullptr && sort > std::pair{std::get<0>(least), std::get<1>(least)})) {
            continue;
        }
        if (bytes_left < each.outcomes.size()) {
            bytes_left = 0;
            return std::nullopt;
        }
        bytes_left -= each.outcomes.size();
        const bool better_sort = best == nullptr || sort < std::pair{std::get<0>(least), std::get<1>(least)};
        const std::uint64_t most = better_sort ? UINT64_MAX : std::get<2>(least);
        const std::uint64_t differing = distance(failing->outcomes, each.outcomes, most);
        if (differing < most) {
            best = &each;
            least = {sort.first, sort.second, differing};
        }
    }
    if (best == nullptr) {
        return std::nullopt;
    }
    Difference difference;
    difference.failing = failing->number;
    difference.passing = best->number;
    difference.clean = best->verdicts.empty();
    difference.same_buffering = best->buffering == failing->buffering;
    Listing(*failing, *best, finding, protocol).fill(difference);
    return difference;
}

}  // namespace dampi::scheduler
