// See random_walk.hpp.
#include "heuristics/random_walk.hpp"

#include "base/check.hpp"
#include "heuristics/choice_outcomes.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace dampi::heuristics {

using clocks::VectorClock;
using replay::Decision;
using replay::Epoch;
using replay::EpochId;
using replay::Outcome;
using replay::RunRecord;

namespace {

/// The chance that a walk says "later" at all where no run has shown a reason; small, for such walks mostly come to
/// nothing, but not so small that those that do not would count for very much.
constexpr double later_without_reason = 0.1;

/// False answers are no part of an outcome.
bool same_outcome(const Outcome& a, const Outcome& b) {
    return a.poll == b.poll && a.source == b.source && a.completed == b.completed;
}

/// The outcome is one of the call that has answered: what others of its stretch could have answered, no walk looks at.
void by_the_same_call(Outcome& outcome, const Epoch& epoch) {
    outcome.poll = epoch.outcome->poll;
    outcome.false_answers = epoch.outcome->false_answers;
    outcome.released = epoch.outcome->released;
}

/// Whether what the epoch comes to cannot be chosen, or is the only thing that it can come to.
bool as_it_comes(const Epoch& epoch) {
    return (replay::has_single_answer(epoch.kind) && !replay::withdraws(epoch.kind)) ||
           (replay::is_polling(epoch.kind) && epoch.outcome->gave_up());
}

/// Whether what the epoch came to, and each other thing that it could have come to, is an outcome of its own.
bool comes_to_one(const Epoch& epoch) {
    return as_it_comes(epoch) || replay::chooses_message(epoch.kind) || replay::withdraws(epoch.kind);
}

/// An epoch of the past that is not in `decided`: of one rank the last, as the others will mostly be decided before it.
std::optional<EpochId> last_missing(const VectorClock& past, const VectorClock& decided) {
    const auto known = decided.intervals();
    const auto all_wanted = past.intervals();
    for (std::size_t left = all_wanted.size(); left != 0; --left) {
        const VectorClock::Interval& wanted = all_wanted[left - 1];
        // The last that begins before the end of what is wanted.
        auto part = std::lower_bound(known.begin(), known.end(), std::tie(wanted.rank, wanted.end),
                                     [](const auto& a, const auto& b) { return std::tie(a.rank, a.begin) < b; });
        if (part == known.begin() || (--part)->rank != wanted.rank || part->end < wanted.end) {
            return EpochId{wanted.rank, wanted.end - 1};
        }
        if (part->begin > wanted.begin) {
            return EpochId{wanted.rank, part->begin - 1};
        }
    }
    return std::nullopt;
}

}  // namespace

/// What a run shows from the decisions: which outcomes are enabled. Grows with them.
class RandomWalk::View {
public:
    View(const RunRecord& record, const std::vector<Decision>& decisions) : record_(record) {
        const std::size_t epochs = record.epochs.size();
        own_.resize(epochs);
        waiting_.resize(epochs);
        for (const Decision& decision : decisions) {
            const auto i = record_.place(decision.epoch);
            DAMPI_CHECK(i.has_value());
            own_[*i].decided = true;
            decided_.add(decision.epoch.rank, decision.epoch.index);
        }
        for (std::size_t i = 0; i < epochs; ++i) {
            // One that came to nothing although it could have was cut off by the end of the run, or cancelled.
            if (!own_[i].decided && record.epochs[i].outcome) {
                add_answers(i);
            }
        }
    }

    /// Epochs with enabled outcomes, excluded or not; ascending by rank and index.
    [[nodiscard]] const std::set<std::size_t>& candidates() const { return candidates_; }
    [[nodiscard]] const Epoch& epoch(std::size_t i) const { return record_.epochs[i]; }
    [[nodiscard]] std::size_t size() const { return record_.epochs.size(); }

    [[nodiscard]] std::vector<Outcome> enabled(std::size_t i) const {
        const Epoch& epoch = record_.epochs[i];
        std::vector<Outcome> outcomes;
        if (comes_to_one(epoch)) {
            for (const Answer& answer : own_[i].answers) {
                if (answer.enabled) {
                    outcomes.push_back(answer.outcome);
                }
            }
            std::sort(outcomes.begin(), outcomes.end(),
                      [](const Outcome& a, const Outcome& b) { return a.source < b.source; });
            return outcomes;
        }
        std::vector<std::uint32_t> positions;
        for (const Answer& answer : own_[i].answers) {
            if (answer.enabled) {
                positions.push_back(answer.outcome.completed.front());
            }
        }
        for (std::vector<std::uint32_t>& completed :
             choice_outcomes(epoch.kind, positions, own_[i].answers.size()).completed) {
            Outcome& outcome = outcomes.emplace_back();
            outcome.completed = std::move(completed);
            by_the_same_call(outcome, epoch);
        }
        return outcomes;
    }

    /// Answers of the epoch that were possible later in this run.
    [[nodiscard]] std::size_t later(std::size_t i) const {
        return static_cast<std::size_t>(std::count_if(own_[i].answers.begin(), own_[i].answers.end(),
                                                      [](const Answer& answer) { return !answer.enabled; }));
    }

    /// The epoch comes to what it came to in the run.
    void decide(std::size_t i) {
        own_[i].decided = true;
        candidates_.erase(i);
        decided_.add(record_.epochs[i].id.rank, record_.epochs[i].id.index);
        for (const auto& [epoch, answer] : std::exchange(waiting_[i], {})) {
            look(epoch, answer);
        }
    }

private:
    struct Answer {
        Outcome outcome;  ///< of a choice: one position
        VectorClock past;
        bool enabled = false;
    };
    struct Own {
        bool decided = false;
        std::vector<Answer> answers;
    };

    void add_answers(std::size_t i) {
        const Epoch& epoch = record_.epochs[i];
        const auto add = [&](Outcome outcome, VectorClock past) {
            if (!past.knows(epoch.id.rank, epoch.id.index)) {
                by_the_same_call(outcome, epoch);
                own_[i].answers.push_back({.outcome = std::move(outcome), .past = std::move(past)});
            }
        };
        if (comes_to_one(epoch)) {
            add(*epoch.outcome, epoch.past.vector);
        }
        if (!as_it_comes(epoch)) {
            for (const replay::PotentialMatch& match : epoch.potential_matches) {
                add({.source = match.source, .tag = match.tag, .number = match.number, .completed = {}},
                    match.past.vector);
            }
            for (const replay::Completable& completable : epoch.completable) {
                VectorClock past = epoch.posted.vector;
                past.merge(completable.known.vector);
                Outcome outcome;
                outcome.completed = {completable.position};
                if (comes_to_one(epoch) && outcome.completed == epoch.outcome->completed) {
                    continue;  // above
                }
                add(std::move(outcome), std::move(past));
            }
        }
        for (std::size_t answer = 0; answer < own_[i].answers.size(); ++answer) {
            look(i, answer);
        }
    }

    /// Whether an answer is enabled now; otherwise it is looked at again when something that it lacks is decided.
    void look(std::size_t i, std::size_t which) {
        Answer& answer = own_[i].answers[which];
        if (const auto missing = last_missing(answer.past, decided_)) {
            if (const auto lacks = record_.place(*missing)) {
                waiting_[*lacks].emplace_back(i, which);
            }
            return;
        }
        answer.enabled = true;
        if (!own_[i].decided) {
            candidates_.insert(i);
        }
    }

    const RunRecord& record_;
    VectorClock decided_;
    std::vector<Own> own_;  ///< by epoch
    /// By epoch: answers, of an epoch each, that lack at least its outcome.
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> waiting_;
    std::set<std::size_t> candidates_;
};

void RandomWalk::go_on(const RunRecord& record, const Choose& choose) {
    DAMPI_CHECK(!estimate_ && record.protocol == clocks::Protocol::vector);
    View view(record, decisions_);
    while (!estimate_ && step(view, choose)) {}
    std::sort(decisions_.begin(), decisions_.end(), replay::by_epoch);
    if (estimate_) {
        decisions_ = {};
        excluded_ = {};
    }
}

bool RandomWalk::step(View& view, const Choose& choose) {
    struct Candidate {
        std::size_t epoch = 0;
        std::vector<Outcome> ways;
        std::size_t later = 0;
    };
    std::optional<Candidate> best;
    bool others = false;
    for (const std::size_t i : view.candidates()) {
        Candidate candidate{.epoch = i, .ways = view.enabled(i), .later = view.later(i)};
        if (const auto excluded = excluded_.find(view.epoch(i).id); excluded != excluded_.end()) {
            std::erase_if(candidate.ways, [&](const Outcome& way) {
                return std::any_of(excluded->second.begin(), excluded->second.end(),
                                   [&](const Outcome& each) { return same_outcome(each, way); });
            });
        }
        if (candidate.ways.empty()) {
            continue;
        }
        others = best.has_value();
        if (!best || candidate.later < best->later) {
            best = std::move(candidate);
        }
        if (others && best->later == 0) {
            break;
        }
    }
    if (!best) {
        estimate_ = excluded_.empty() ? weight_ : LargeNumber{};
        return false;
    }
    const Epoch& epoch = view.epoch(best->epoch);
    const std::size_t ways = best->ways.size();
    double later = 0;
    if (others && !as_it_comes(epoch)) {
        // Of what the run shows later, about half will be there whatever comes of the others.
        const auto shown = static_cast<double>(best->later);
        later = best->later != 0 ? shown / (shown + 2 * static_cast<double>(ways))
                                 : later_without_reason / static_cast<double>(view.size());
    }
    Branching branching{.probabilities = std::vector<double>(ways, (1 - later) / static_cast<double>(ways)),
                        .later = later != 0,
                        .as_run = {}};
    for (std::size_t way = 0; way < ways; ++way) {
        if (same_outcome(best->ways[way], *epoch.outcome)) {
            branching.as_run = way;
        }
    }
    if (later != 0) {
        if (!branching.as_run) {
            branching.as_run = ways;
        }
        branching.probabilities.push_back(later);
    }
    const std::size_t chosen = branching.probabilities.size() == 1 ? 0 : choose(branching);
    DAMPI_CHECK(chosen < branching.probabilities.size());
    weight_ =
        chosen < ways ? weight_.times(static_cast<double>(ways)).times(1 / (1 - later)) : weight_.times(1 / later);
    if (chosen == ways) {
        std::vector<Outcome>& excluded = excluded_[epoch.id];
        excluded.insert(excluded.end(), best->ways.begin(), best->ways.end());
        return true;
    }
    excluded_.erase(epoch.id);
    decisions_.push_back({.epoch = epoch.id,
                          .kind = epoch.kind,
                          .comm = epoch.comm,
                          .tag = epoch.tag,
                          .outcome = std::move(best->ways[chosen]),
                          .threads = epoch.threads});
    if (chosen != branching.as_run) {
        return false;
    }
    view.decide(best->epoch);
    return true;
}

double expected_departures(const RunRecord& record) {
    RandomWalk walk;
    double departures = 0;
    walk.go_on(record, [&](const Branching& branching) {
        const std::size_t way = branching.as_run.value_or(0);
        const std::size_t last = branching.probabilities.size() - 1;
        departures += 1 - branching.probabilities[way];
        departures -= branching.later && way != last ? branching.probabilities[last] : 0;
        return way;
    });
    return departures;
}

WalkChance::WalkChance(std::uint64_t seed, std::uint64_t walk)
    : state_((seed + 1) * 0x9e3779b97f4a7c15U + walk * 0xd1b54a32d192ed03U) {
    next();
}

std::uint64_t WalkChance::next() {  // splitmix64
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
}

std::size_t WalkChance::operator()(const Branching& branching) {
    double left = static_cast<double>(next() >> 11U) * 0x1p-53;
    for (std::size_t way = 0; way + 1 < branching.probabilities.size(); ++way) {
        left -= branching.probabilities[way];
        if (left < 0) {
            return way;
        }
    }
    return branching.probabilities.size() - 1;
}

}  // namespace dampi::heuristics
