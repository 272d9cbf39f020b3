#include "scheduler/exploration/match_relations.hpp"

#include "base/check.hpp"
#include "heuristics/choice_outcomes.hpp"
#include "replay/pinned_outcomes.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>
#include <tuple>

namespace dampi::scheduler {

using heuristics::LeftOutBy;
using replay::additional_of;
using replay::Completable;
using replay::Decision;
using replay::Epoch;
using replay::Interleaving;
using replay::Outcome;
using replay::own_false_answers;
using replay::RunRecord;

namespace {

/// When so much of what may be kept is, exploration goes depth first whatever its order, and runs end in states only
/// where nothing of them has to be kept.
constexpr double part_for_any_order = 0.3;
/// Epochs of open states (some 64 bytes each) that are kept; beyond that no run ends in one.
constexpr std::uint64_t most_open_epochs = 1'000'000;

/// A run that was slow may have had very many false answers; nobody needs all the runs with fewer.
constexpr std::uint32_t most_false_answers_taken_back = 32;
/// Of a stretch that was given up: programs that count their polls stop at round numbers.
constexpr std::uint32_t most_false_answers_counted = 100;

// MatchRelationsSettings::explore_undecided_polls: what comes of one more false answer, of two, and of so many that a
// program that gives up has done so.
constexpr std::uint32_t few_false_answers = 2;
constexpr std::uint32_t many_false_answers = 1024;
/// The first so many runs of a sweep also show what comes of additional false answers of further ranks: what takes one
/// in each of two ranks is found in a small program, and the runs of others do not become many more.
constexpr std::uint64_t runs_for_several_ranks = 24;
/// So many stretches of a rank that begin at the same place, called from the same place, are looked at in each run.
constexpr std::uint32_t most_iterations = 16;
/// So many stretches of a run of which it is known after how many false answers they settle or give up: what comes of
/// each number is explored in all of them together. Where there are more, in one of them in a run.
constexpr std::size_t few_known_to_turn = 6;
/// So many own false answers are few enough to explore what the calls could have answered before.
constexpr std::uint32_t few_own_false_answers = replay::few_own_false_answers;

/// Why something is left out, and what helps.
struct Reason {
    const char* what;
    const char* remedy;
};

constexpr Reason goes_on_after_false{
    "places where the program may go on in another way after a polling call has answered 'nothing yet'",
    "--explore-polls 1 explores that"};
constexpr Reason undecided_repetition{
    "places where it is not decided whether it matters how often a polling call answers 'nothing yet'",
    "--explore-polls K explores up to K times"};
constexpr Reason gives_up_after_some{"places where the program repeats a polling call some times and then gives up",
                                     "a larger number for --explore-polls explores more of that"};
constexpr Reason other_counts{
    "places where the number of a polling call's answers 'nothing yet' matters, or may matter: explored were a few of "
    "them, and many, of one stretch of such calls in a run",
    "--explore-polls K explores each number up to K"};
constexpr Reason long_stretch{
    "long stretches of polling calls: what they could have answered earlier was not explored",
    "no option does; a program that polls fewer times, or blocks where it may, has fewer of them"};
constexpr Reason many_requests{
    "calls of MPI_Waitsome or MPI_Testsome with many requests: explored were only one of them and all of them at once",
    ""};
constexpr Reason more_than_kept{
    "nondeterministic operations beyond what is kept of a run (50,000 of them or 100,000 receives, fewer where they "
    "could have come to very much, or in each of several ranks): neither they nor what depends on them are explored",
    "a smaller problem has fewer"};
constexpr Reason too_much_in_one_run{
    "alternatives in runs with so many nondeterministic operations that not all of them, and what each of them needs, "
    "can be kept",
    "a smaller problem, --explore NAME or --skip NAME leaves fewer"};
constexpr Reason too_much_in_all{"alternatives in runs that came when as much was known already as can be kept",
                                 "a smaller problem, --explore NAME or --skip NAME leaves fewer"};
constexpr Reason other_room{
    "alternatives for which several receives could have made room (--buffering with a number of bytes): explored was "
    "one of the ways to them",
    ""};

LeftOutAlternatives::Otherwise at_place(const Reason& reason, std::string call, replay::CodePlace where) {
    return {.what = reason.what, .remedy = reason.remedy, .call = std::move(call), .where = std::move(where)};
}

LeftOutAlternatives::Otherwise at(const Reason& reason, const Epoch& epoch) {
    return at_place(reason, epoch.call, epoch.where);
}

Decision decision_for(const Epoch& epoch, const Outcome& outcome) {
    return {.epoch = epoch.id,
            .kind = epoch.kind,
            .comm = epoch.comm,
            .tag = epoch.tag,
            .outcome = outcome,
            .threads = epoch.threads};
}

bool could_have_matched(const Epoch& epoch) {
    bool found = false;
    replay::for_each_poll(epoch,
                          [&](const replay::PollView& each) { found = found || !each.potential_matches.empty(); });
    return found;
}

/// Outcome::released of the first so many false answers that the epoch had.
std::uint32_t released_of(const Epoch& epoch, std::uint32_t false_answers) {
    if (!epoch.outcome) {
        return 0;
    }
    const std::uint32_t at_once = epoch.outcome->false_answers - epoch.outcome->released;
    return std::min(false_answers - std::min(false_answers, at_once), epoch.outcome->released);
}

bool kept_by_epoch(const UnfinishedRun::Kept& a, const UnfinishedRun::Kept& b) {
    return a.decision.epoch < b.decision.epoch;
}

/// Where what happened before is equal, equal sources mean equal messages.
bool same_outcome(const Outcome& a, const Outcome& b, bool with_false_answers) {
    return a.poll == b.poll && a.source == b.source && a.completed == b.completed &&
           (!with_false_answers || a.false_answers == b.false_answers);
}

const Decision* find(const std::vector<Decision>& decisions, const replay::EpochId& epoch) {
    const auto found =
        std::lower_bound(decisions.begin(), decisions.end(), epoch,
                         [](const Decision& each, const replay::EpochId& id) { return each.epoch < id; });
    return found == decisions.end() || found->epoch != epoch ? nullptr : &*found;
}

/// Whether the program has made a call of the stretch again after a false answer.
bool comes_back(const Epoch& epoch) {
    return epoch.others.empty() ? epoch.outcome->false_answers > (epoch.outcome->gave_up() ? 1U : 0U)
                                : epoch.polled.size() > epoch.others.size() + 1;
}

/// The call of the stretch that answers after so many false answers; nothing where that is not known.
std::optional<std::uint32_t> poll_after(const Epoch& epoch, std::uint32_t false_answers) {
    if (epoch.others.empty()) {
        return epoch.poll;
    }
    if (epoch.outcome) {
        return false_answers < epoch.polled.size() ? std::optional(epoch.polled[false_answers]) : std::nullopt;
    }
    // The run has ended meanwhile: all that is known is when each was made for the first time.
    std::optional<std::uint32_t> found;
    replay::for_each_poll(epoch, [&](const replay::PollView& each) {
        if (each.before == false_answers) {
            found = each.number;
        }
    });
    return found;
}

std::uint64_t epochs_in(const std::vector<replay::OpenState>& states) {
    std::uint64_t sum = 0;
    for (const replay::OpenState& state : states) {
        sum += 1 + state.epochs.size();
    }
    return sum;
}

PollingPlaceName place_name(const replay::CodePlace& where, replay::EpochKind kind) {
    return {.module = where.module, .offset = where.offset, .kind = kind};
}

}  // namespace

/// Finds what is new in one run's record.
class MatchRelations::Reading {
public:
    /// What follows a request to stop is of no use: the lesson is not complete.
    Reading(const MatchRelations& explorer, const HandedOut& told, const RunRecord& record, Lesson& lesson,
            const std::stop_token& stop)
        : explorer_(explorer),
          told_(told),
          record_(record),
          stop_(stop),
          causality_(record),
          behaviour_(record),
          lesson_(lesson) {}

    /// Tells the steps of this run from what it was told, and puts them in order.
    void settle() {
        path_to_parent();
        settle_steps();
    }

    void look_at_polls() {
        for (std::size_t i = 0; i < record_.epochs.size() && !stop_.stop_requested(); ++i) {
            const Epoch& epoch = record_.epochs[i];
            if (!replay::is_polling(epoch.kind) || !epoch.outcome) {
                continue;
            }
            PollingPlace seen;
            const bool counted = automatic() && settled_[i].counted;
            seen.goes_on = epoch.outcome->gave_up() && !counted;
            seen.asks_again = epoch.repetition == replay::Repetition::unchanged ||
                              epoch.repetition == replay::Repetition::settles || comes_back(epoch);
            seen.undecided = epoch.repetition != replay::Repetition::not_tried &&
                             epoch.repetition != replay::Repetition::unchanged && !counted;
            const PollingPlace& known = place(place_name(epoch.where, epoch.kind));
            if (known.trial.empty() && !seen.goes_on && epoch.repetition != replay::Repetition::unchanged &&
                !counts_false_answers()) {
                seen.trial = trial_for(i);
            }
            note_polling_place(seen, epoch.kind, epoch.call, epoch.where);
            seen.trial.clear();
            for (const replay::OtherPoll& other : epoch.others) {
                note_polling_place(seen, other.kind, other.call, other.where);
            }
        }
    }

    void note_polling_place(const PollingPlace& seen, replay::EpochKind kind, const std::string& call,
                            const replay::CodePlace& where) {
        const PollingPlaceName name = place_name(where, kind);
        const PollingPlace& known = place(name);
        if ((seen.goes_on && !known.goes_on) || (seen.asks_again && !known.asks_again) ||
            (seen.undecided && !known.undecided) || !seen.trial.empty()) {
            PollingPlace& changed = change(name);
            changed.goes_on = changed.goes_on || seen.goes_on;
            changed.asks_again = changed.asks_again || seen.asks_again;
            changed.undecided = changed.undecided || seen.undecided;
            changed.call = call;
            changed.where = where;
            if (!seen.trial.empty()) {
                changed.trial = seen.trial;
            }
        }
    }

    void find_alternatives() {
        put_in_order();
        bound_steps();
        clocks::VectorClock before;
        for (std::size_t begin = 0; begin != order_.size();) {
            std::size_t end = begin;
            for (; end != order_.size() && !settled_[order_[begin]].before(settled_[order_[end]]); ++end) {
                if (stop_.stop_requested()) {
                    return;
                }
                const std::size_t i = order_[end];
                if (settled_[i].is_step && !needed_earlier_[i]) {
                    before_ = &before;
                    earliest_here_or_later_ = earliest_from_[begin];
                    find_alternatives(i);
                }
            }
            for (; begin != end; ++begin) {
                const Epoch& epoch = record_.epochs[order_[begin]];
                if (epoch.outcome) {
                    before.add(epoch.id.rank, epoch.id.index);
                }
            }
        }
        keep_steps();
    }

    /// Of which states on the way here it shows that what follows them is late for what was before.
    void look_at_open_states() {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> way;  // runs, and where it has left them
        for (std::size_t depth = 0; depth < path_.size(); ++depth) {
            const AlternativeName& left = depth + 1 < path_.size() ? path_[depth + 1]->origin : told_.origin;
            way.emplace_back(path_[depth]->number, path_[depth]->steps[left.step].settled);
        }
        for (const auto& [run, left] : way) {
            if (const auto found = explorer_.open_states_.of_runs.find(run);
                found != explorer_.open_states_.of_runs.end()) {
                for (const replay::OpenState& state : found->second) {
                    if (state.settled < left) {
                        look_at_open_state(run, state);
                    }
                }
            }
        }
        for (const replay::OpenState& state : record_.open_states) {
            look_at_open_state(lesson_.number, state);
        }
    }

    void look_at_behaviour() { lesson_.behaviour = explorer_.agenda_.novelty().unseen(behaviour_); }

private:
    static constexpr std::size_t none = ~std::size_t{0};

    void look_at_open_state(std::uint64_t run, const replay::OpenState& state) {
        const replay::Merge name{.run = run, .settled = state.settled};
        const auto known = explorer_.open_states_.meetings.find(name);
        const bool given_up = known != explorer_.open_states_.meetings.end() && known->second.given_up;
        if (!given_up && std::any_of(state.epochs.begin(), state.epochs.end(), [&](const replay::OpenEpoch& open) {
                return is_shown_late(open) || (!state.is_exact && is_looked_at_no_more(open));
            })) {
            lesson_.given_up.push_back(name);
        }
    }

    /// In the state in which the run has ended only alternatives count. Since it was given up before that anything came
    /// without knowing of such epochs, something does.
    [[nodiscard]] bool is_looked_at_no_more(const replay::OpenEpoch& open) const {
        return std::binary_search(record_.merged_past.begin(), record_.merged_past.end(), open.epoch);
    }

    [[nodiscard]] bool is_shown_late(const replay::OpenEpoch& open) const {
        if (!record_.unaware) {
            return true;  // it may be
        }
        const auto unaware = std::lower_bound(
            record_.unaware->begin(), record_.unaware->end(), open.epoch,
            [](const replay::SentUnaware& each, const replay::EpochId& epoch) { return each.epoch < epoch; });
        if (unaware != record_.unaware->end() && unaware->epoch == open.epoch &&
            std::any_of(open.sources.begin(), open.sources.end(), [&](const replay::Sent& before) {
                return std::any_of(unaware->sources.begin(), unaware->sources.end(), [&](const replay::Sent& each) {
                    return each.source == before.source && each.messages > before.messages;
                });
            })) {
            return true;
        }
        const std::optional<std::size_t> index = open.positions.empty() ? std::nullopt : record_.place(open.epoch);
        if (!index) {
            return false;
        }
        const std::vector<Completable>& completable = record_.epochs[*index].completable;
        return std::any_of(completable.begin(), completable.end(), [&](const Completable& each) {
            return std::find(open.positions.begin(), open.positions.end(), each.position) != open.positions.end() &&
                   !causality_.contains(each.known, *index);
        });
    }

    /// Puts the steps of this run into the lesson, up to the last one that has an alternative to explore: those behind
    /// it are a step of no run that follows.
    void keep_steps() {
        std::size_t end = 0;
        for (const Lesson::Found& found : lesson_.found) {
            if (found.run == lesson_.number && lesson_.bounds[found.step].left_out_by == LeftOutBy::nothing) {
                end = std::max(end, std::size_t{found.step} + 1);
            }
        }
        if (lesson_.merged_open) {
            end = steps_.size();  // it may have to go on
        }
        if (end != 0 && !lesson_.merged_open &&
            explorer_.kept_ + told_.kept.size() + end + needed_ > explorer_.settings_.most_kept) {
            for (const Lesson::Found& found : lesson_.found) {
                if (found.run == lesson_.number) {
                    ++lesson_.left_out.otherwise[at(too_much_in_all, record_.epochs[steps_[found.step]])];
                }
            }
            end = 0;
        }
        std::erase_if(lesson_.found,
                      [&](const Lesson::Found& found) { return found.run == lesson_.number && found.step >= end; });
        lesson_.bounds.resize(end);
        for (std::size_t step = 0; step < end; ++step) {
            const std::size_t i = steps_[step];
            Decision& made = lesson_.steps.emplace_back(
                decision_for(record_.epochs[i], record_.epochs[i].outcome.value_or(Outcome{})));
            made.additional = settled_[i].additional;
            made.counted = settled_[i].counted;
            made.repetition = settled_[i].repetition;
            made.turns_after = settled_[i].turns_after;
            lesson_.settled.push_back(record_.epochs[i].outcome ? record_.epochs[i].settled : ~std::uint32_t{0});
        }
        for (std::size_t step = end; step < steps_.size() && (lesson_.merged || !lesson_.shown.empty()); ++step) {
            const Epoch& epoch = record_.epochs[steps_[step]];
            if (lesson_.counted && epoch.outcome) {
                lesson_.rest.push_back({.made = decision_for(epoch, *epoch.outcome), .settled = epoch.settled});
            }
        }
    }

    /// Where it was settled what an epoch comes to. Compared by depth and step: what must be there earlier.
    struct Settled {
        std::uint32_t depth = 0;
        std::uint32_t step = 0;
        bool is_step = false;
        std::uint32_t additional = 0;
        bool known = false;
        bool counted = false;  ///< replay::Decision::counted
        // Likewise.
        replay::Repetition repetition = replay::Repetition::not_tried;
        std::uint32_t turns_after = 0;

        [[nodiscard]] bool before(const Settled& other) const {
            return std::tie(depth, step) < std::tie(other.depth, other.step);
        }
    };

    [[nodiscard]] bool automatic() const { return explorer_.settings_.explore_undecided_polls; }
    [[nodiscard]] bool counts_false_answers() const { return automatic() || explorer_.settings_.explore_polls != 0; }

    /// With explore_undecided_polls: whether the number of the stretch's false answers is part of its outcome.
    [[nodiscard]] bool is_counted(const Epoch& epoch) {
        if (!automatic() || !replay::may_be_counted(epoch)) {
            return false;
        }
        const auto name = std::tuple(epoch.id.rank, place_name(epoch.where, epoch.kind), epoch.context.stack);
        return iterations_[name]++ < most_iterations;
    }

    [[nodiscard]] std::uint32_t own_depth() const { return static_cast<std::uint32_t>(path_.size()); }

    [[nodiscard]] const PollingPlace& place(const PollingPlaceName& name) const {
        static const PollingPlace unknown;
        if (const auto changed = lesson_.polling.find(name); changed != lesson_.polling.end()) {
            return changed->second;
        }
        const auto known = explorer_.polling_places_.find(name);
        return known == explorer_.polling_places_.end() ? unknown : known->second;
    }

    PollingPlace& change(const PollingPlaceName& name) {
        return lesson_.polling.try_emplace(name, place(name)).first->second;
    }

    /// All that does not depend on the epoch, and one more false answer of it.
    [[nodiscard]] std::vector<Decision> trial_for(std::size_t index) const {
        std::vector<Decision> decisions;
        for (std::size_t i = 0; i < record_.epochs.size(); ++i) {
            const Epoch& epoch = record_.epochs[i];
            if (i == index) {
                Outcome more;
                more.poll = epoch.poll;
                more.false_answers = epoch.outcome->false_answers + 1;
                more.released = epoch.outcome->released;
                Decision& decision = decisions.emplace_back(decision_for(epoch, more));
                decision.open = true;
                decision.at_least = more.false_answers;
                decision.additional = 1;
            } else if (epoch.outcome && !causality_.precedes(index, i)) {
                decisions.push_back(decision_for(epoch, *epoch.outcome));
            }
        }
        return decisions;
    }

    void path_to_parent() {
        for (const Run* run = told_.parent; run != nullptr; run = run->parent) {
            path_.push_back(run);
        }
        std::reverse(path_.begin(), path_.end());
    }

    void settle_steps() {
        const std::vector<Epoch>& epochs = record_.epochs;
        settled_.resize(epochs.size());
        auto kept = told_.kept.begin();
        std::vector<std::size_t> unmatched;
        for (std::size_t i = 0; i < epochs.size(); ++i) {
            while (kept != told_.kept.end() && kept->decision.epoch < epochs[i].id) {
                ++kept;
            }
            if (kept != told_.kept.end() && kept->decision.epoch == epochs[i].id) {
                settled_[i] = {.depth = kept->depth,
                               .step = kept->step,
                               .is_step = kept->is_step,
                               .additional = kept->decision.additional,
                               .known = true,
                               .counted = kept->decision.counted,
                               .repetition = kept->decision.repetition,
                               .turns_after = kept->decision.turns_after};
                known_to_turn_ += settled_[i].turns_after != 0 ? 1 : 0;
                continue;
            }
            if (const Decision* open = find(told_.open, epochs[i].id)) {
                settled_[i].additional = additional_of(*open, epochs[i].outcome.value_or(open->outcome));
                settled_[i].counted = open->counted;
                settled_[i].repetition = open->repetition;
                settled_[i].turns_after = open->turns_after;
            } else if (replay::is_polling(epochs[i].kind)) {
                settled_[i].counted = explorer_.settings_.explore_polls != 0 || is_counted(epochs[i]);
                if (automatic() && settled_[i].counted) {
                    settled_[i].repetition = epochs[i].repetition;
                    settled_[i].turns_after = epochs[i].turns_after;
                }
            }
            known_to_turn_ += settled_[i].turns_after != 0 ? 1 : 0;
            if (epochs[i].outcome) {
                steps_.push_back(i);
            } else if (could_have_matched(epochs[i])) {
                unmatched.push_back(i);
            }
        }
        if (record_.may_be_met) {
            std::sort(steps_.begin(), steps_.end(),
                      [&](std::size_t a, std::size_t b) { return epochs[a].settled < epochs[b].settled; });
        } else {
            std::stable_sort(steps_.begin(), steps_.end(),
                             [&](std::size_t a, std::size_t b) { return causality_.depth(a) < causality_.depth(b); });
        }
        // In a run that ended early some epochs may have come to nothing though there was a message for them. Of these
        // only the first can be a step of this run: that it comes to nothing cannot be forced. Where the run has merged
        // into another one, that one shows what they come to.
        if (!unmatched.empty() && !record_.merged) {
            steps_.push_back(unmatched.front());
        }
        for (std::size_t step = 0; step < steps_.size(); ++step) {
            Settled& settled = settled_[steps_[step]];
            settled.depth = own_depth();
            settled.step = static_cast<std::uint32_t>(step);
            settled.is_step = true;
            settled.known = true;
        }
    }

    /// Orders what is settled by where that was, and finds out what cannot be replaced. With Lamport clocks an earlier
    /// step may seem to need a later one, as what precedes what is uncertain; then nothing can be put in the place of
    /// those from the earlier one on.
    void put_in_order() {
        for (std::size_t i = 0; i < settled_.size(); ++i) {
            if (settled_[i].known) {
                order_.push_back(i);
            }
        }
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::size_t a, std::size_t b) { return settled_[a].before(settled_[b]); });
        needed_earlier_.assign(settled_.size(), false);
        earliest_from_.assign(order_.size(), none);
        if (record_.protocol == clocks::Protocol::vector) {
            return;
        }
        std::size_t earliest = none;
        for (std::size_t i = order_.size(); i-- != 0;) {
            if (record_.epochs[order_[i]].outcome &&
                (earliest == none || record_.epochs[order_[i]].final < record_.epochs[earliest].final)) {
                earliest = order_[i];
            }
            earliest_from_[i] = earliest;
        }
        std::uint64_t needed = 0;
        for (std::size_t begin = 0; begin != order_.size();) {
            std::size_t end = begin;
            std::uint64_t needed_here = needed;
            for (; end != order_.size() && !settled_[order_[begin]].before(settled_[order_[end]]); ++end) {
                const std::size_t from = earliest_from_[begin];
                needed_earlier_[order_[end]] = from != none && record_.epochs[from].final.value < needed;
                needed_here = std::max(needed_here, causality_.depth(order_[end]).first);
            }
            begin = end;
            needed = needed_here;
        }
    }

    void bound_steps() {
        heuristics::Room room = told_.room;
        if (told_.opened && room.steps != heuristics::Room::unlimited) {
            ++room.steps;  // what the decided call itself answers in the end
        }
        lesson_.bounds = explorer_.bounds_.of_steps(record_, steps_, room);
    }

    [[nodiscard]] LeftOutBy left_out_by(std::size_t index) const {
        const Settled& where = settled_[index];
        return is_own(index) ? lesson_.bounds[where.step].left_out_by
                             : path_[where.depth]->steps[where.step].bound.left_out_by;
    }

    /// With Lamport clocks: whether something that was not settled before the epoch that is looked at may belong to the
    /// past.
    [[nodiscard]] bool needs_more(const clocks::Clock& past) const {
        return earliest_here_or_later_ != none && causality_.contains(past, earliest_here_or_later_);
    }

    [[nodiscard]] bool is_own(std::size_t index) const { return settled_[index].depth == own_depth(); }

    [[nodiscard]] std::uint32_t fewest_false_answers(std::size_t index) const {
        if (is_own(index)) {
            const Decision* open = find(told_.open, record_.epochs[index].id);
            return open == nullptr ? 0 : open->at_least;
        }
        return path_[settled_[index].depth]->steps[settled_[index].step].fewest_false_answers;
    }

    void find_alternatives(std::size_t index) {
        const Epoch& epoch = record_.epochs[index];
        const bool gave_up = epoch.outcome && replay::is_polling(epoch.kind) && epoch.outcome->gave_up();
        const std::uint32_t false_answers = epoch.outcome ? epoch.outcome->false_answers : fewest_false_answers(index);
        const std::uint32_t additional = settled_[index].additional;
        // With Lamport clocks what the call itself depends on may come to contain it: then it cannot be kept.
        if (automatic() && settled_[index].counted) {
            if (settled_[index].repetition == replay::Repetition::settles) {
                find_settling_alternatives(index, gave_up, false_answers);
            } else {
                find_counted_alternatives(index, gave_up, false_answers);
            }
            return;
        }
        if (epoch.outcome && replay::is_polling(epoch.kind) && explorer_.settings_.explore_polls != 0 &&
            !causality_.contains(epoch.posted, index)) {
            // Where it answered false it could have answered otherwise, unless that depends on what came of it.
            const std::uint32_t own = own_false_answers(false_answers, additional);
            const std::uint32_t fewest = fewest_false_answers(index);
            for (std::uint32_t fewer = fewest; fewer < std::min(false_answers, fewest + most_false_answers_taken_back);
                 ++fewer) {
                find_answers_after(index, fewer, fewer - std::min(fewer, own));
            }
            if (!gave_up) {
                Alternative more{.outcome = {}, .kind = epoch.kind, .comm = epoch.comm, .tag = epoch.tag};
                more.outcome.poll = epoch.poll;
                more.outcome.false_answers = false_answers + 1;
                more.outcome.released = released_of(epoch, false_answers);
                more.open = true;
                more.additional = additional + 1;
                more.at_least = more.outcome.false_answers;
                found(index, std::move(more), epoch.posted);
            }
        }
        if (explorer_.settings_.explore_polls != 0) {
            if (!gave_up) {
                find_answers_after(index, false_answers, additional);
            }
            return;
        }
        if (gave_up && !automatic()) {
            return;  // what it could have answered is not asked for
        }
        // Whatever the number of false answers: what each call of the stretch could have answered.
        replay::for_each_poll(epoch, [&](const replay::PollView& poll) {
            find_answers(index, poll, poll.number == epoch.poll && !gave_up ? false_answers : poll.before, additional);
        });
    }

    /// Likewise with explore_undecided_polls.
    void find_counted_alternatives(std::size_t index, bool gave_up, std::uint32_t false_answers) {
        const Epoch& epoch = record_.epochs[index];
        const std::uint32_t additional = settled_[index].additional;
        const std::uint32_t own = own_false_answers(false_answers, additional);
        const std::uint32_t fewest = fewest_false_answers(index);
        if (!causality_.contains(epoch.posted, index)) {
            const std::uint32_t before = false_answers - std::min(false_answers, fewest);
            std::set<std::uint32_t> counts;
            if (gave_up ? before <= most_false_answers_counted : before <= few_own_false_answers) {
                for (std::uint32_t count = fewest; count < false_answers; ++count) {
                    counts.insert(count);
                }
            } else {
                // At least what each call could have answered when it was made for the first time.
                if (is_own(index)) {
                    note_cut(index);
                }
                replay::for_each_poll(epoch, [&](const replay::PollView& poll) {
                    if (poll.before >= fewest && poll.before < false_answers) {
                        counts.insert(poll.before);
                    }
                });
            }
            for (const std::uint32_t count : counts) {
                find_answers_after(index, count, count - std::min(count, own));
            }
            if (!gave_up && additional < many_false_answers) {
                Alternative more{.outcome = {}, .kind = epoch.kind, .comm = epoch.comm, .tag = epoch.tag};
                more.additional = additional < few_false_answers ? additional + 1 : many_false_answers;
                more.outcome.poll = epoch.poll;
                more.outcome.false_answers = own + more.additional;
                more.outcome.released = released_of(epoch, own);
                more.at_least = false_answers + 1;
                more.open = true;
                found(index, std::move(more), epoch.posted);
            } else if (!gave_up && is_own(index)) {
                note_cut(index);
            }
        }
        if (!gave_up) {
            find_answers_after(index, false_answers, additional);
        }
    }

    /// Likewise where the stretch settles: more false answers than until the end of the first round that is repeated
    /// are as one round less. Its first run has had as many; those with other numbers have their own.
    void find_settling_alternatives(std::size_t index, bool gave_up, std::uint32_t false_answers) {
        const Epoch& epoch = record_.epochs[index];
        if (is_own(index) && epoch.turns_after != 0 && !causality_.contains(epoch.posted, index)) {
            const std::uint32_t all = epoch.turns_after + epoch.round;
            const std::uint32_t own = false_answers < all
                                          ? false_answers
                                          : epoch.turns_after + (false_answers - epoch.turns_after) % epoch.round;
            for (std::uint32_t count = 0; count < (epoch.outcome ? std::min(all, false_answers) : all); ++count) {
                if (!epoch.outcome || count != own) {
                    find_answers_after(index, count, 0);
                }
            }
            if (epoch.outcome && false_answers + 1 < all) {
                note_cut(index);  // the program was not as its copy
            }
        }
        if (!gave_up && (epoch.outcome || !is_own(index))) {
            find_answers_after(index, false_answers, 0);
        }
    }

    /// Of the place's other numbers of false answers some are not explored.
    void note_cut(std::size_t index) {
        const Epoch& epoch = record_.epochs[index];
        const PollingPlaceName name = place_name(epoch.where, epoch.kind);
        if (!place(name).cut) {
            PollingPlace& changed = change(name);
            changed.cut = true;
            changed.call = epoch.call;
            changed.where = epoch.where;
        }
    }

    /// The answers of the call that is made after so many false ones, `additional` of them not the run's own.
    void find_answers_after(std::size_t index, std::uint32_t false_answers, std::uint32_t additional) {
        const Epoch& epoch = record_.epochs[index];
        const std::optional<std::uint32_t> number = poll_after(epoch, false_answers);
        replay::for_each_poll(epoch, [&](const replay::PollView& poll) {
            if (poll.number == number) {
                find_answers(index, poll, false_answers, additional);
            }
        });
        if (!number && is_own(index)) {
            ++lesson_.left_out.otherwise[at(long_stretch, epoch)];
        }
    }

    /// The answers of this call after so many false ones of the stretch.
    void find_answers(std::size_t index, const replay::PollView& poll, std::uint32_t false_answers,
                      std::uint32_t additional) {
        const Epoch& epoch = record_.epochs[index];
        const auto answer = [&](Outcome outcome, const clocks::Clock& past) {
            outcome.poll = poll.number;
            outcome.false_answers = false_answers;
            outcome.released = released_of(epoch, own_false_answers(false_answers, additional));
            if ((!epoch.outcome || outcome != *epoch.outcome) && !causality_.contains(past, index)) {
                found(index,
                      {.outcome = std::move(outcome),
                       .kind = poll.kind,
                       .comm = poll.comm,
                       .tag = poll.tag,
                       .open = false,
                       .additional = additional},
                      past);
            }
        };
        for (std::vector<std::uint32_t>& completed : possible_completions(index, poll)) {
            Outcome outcome;
            outcome.completed = std::move(completed);
            clocks::Clock past = epoch.posted;
            for (const Completable& completable : poll.completable) {
                if (std::binary_search(outcome.completed.begin(), outcome.completed.end(), completable.position)) {
                    past.merge(completable.known);
                }
            }
            answer(std::move(outcome), past);
        }
        for (const replay::PotentialMatch& match : poll.potential_matches) {
            answer({.source = match.source, .tag = match.tag, .number = match.number, .completed = {}}, match.past);
        }
        // This answer again after fewer false ones; for other choices it was among those above.
        if (epoch.outcome && !epoch.outcome->gave_up() && poll.number == epoch.poll &&
            (replay::chooses_message(epoch.kind) || poll.completable.empty())) {
            answer(*epoch.outcome, epoch.past);
        }
    }

    /// What a choice could report.
    [[nodiscard]] std::vector<std::vector<std::uint32_t>> possible_completions(std::size_t index,
                                                                               const replay::PollView& poll) {
        const Epoch& epoch = record_.epochs[index];
        if (replay::chooses_message(poll.kind) || !epoch.outcome) {
            return {};
        }
        std::vector<std::uint32_t> possible;
        for (const Completable& completable : poll.completable) {
            // Also what the call itself depends on, as above.
            clocks::Clock past = epoch.posted;
            past.merge(completable.known);
            if (!causality_.contains(past, index)) {
                possible.push_back(completable.position);
            }
        }
        heuristics::ChoiceOutcomes outcomes = heuristics::choice_outcomes(poll.kind, possible, poll.completable.size());
        if (outcomes.cut && is_own(index)) {
            ++lesson_.left_out.otherwise[at(many_requests, epoch)];
        }
        return std::move(outcomes.completed);
    }

    /// What belongs to the past and was not settled before the epoch that is looked at, in the order of epochs.
    [[nodiscard]] std::vector<Decision> needs(std::size_t index, const clocks::Clock& past) {
        std::vector<Decision> decisions;
        const auto add = [&](std::size_t i) {
            const Epoch& epoch = record_.epochs[i];
            if (i != index && epoch.outcome && settled_[i].known) {
                decisions.push_back(decision_for(epoch, *epoch.outcome));
                decisions.back().additional = settled_[i].additional;
                decisions.back().counted = settled_[i].counted;
                decisions.back().repetition = settled_[i].repetition;
                decisions.back().turns_after = settled_[i].turns_after;
            }
        };
        if (record_.protocol == clocks::Protocol::vector) {
            past.vector.for_each_not_in(*before_, [&](base::Rank rank, std::uint32_t number) {
                if (const std::optional<std::size_t> i = record_.place({rank, number})) {
                    add(*i);
                }
            });
        } else if (needs_more(past)) {
            looked_at_ += record_.epochs.size();
            for (std::size_t i = 0; i < record_.epochs.size(); ++i) {
                if (!settled_[i].before(settled_[index]) && causality_.contains(past, i)) {
                    add(i);
                }
            }
        }
        return decisions;
    }

    void found(std::size_t index, Alternative alternative, const clocks::Clock& past) {
        const Settled& where = settled_[index];
        if (needed_ >= most_needed_of_run || looked_at_ >= most_looked_at) {
            ++lesson_.left_out.otherwise[at(too_much_in_one_run, record_.epochs[index])];
            return;
        }
        alternative.needs = needs(index, past);
        looked_at_ += alternative.needs.size();
        if (!is_own(index)) {
            for (const Alternative& known : path_[where.depth]->steps[where.step].alternatives) {
                looked_at_ += size_of(known);
                if (is_within(alternative, known, where.counted)) {
                    if (explorer_.settings_.one_past_of_several && alternative.needs != known.needs) {
                        ++lesson_.left_out.otherwise[at(other_room, record_.epochs[index])];
                    }
                    return;
                }
            }
        }
        const Additional before = additional_before(where, alternative);
        const base::Rank rank = record_.epochs[index].id.rank;
        const bool one_more_rank = lesson_.number <= runs_for_several_ranks && !before.ranks.contains(rank);
        if (automatic()
                ? alternative.additional != 0 && !is_free(where.repetition) && !before.ranks.empty() && !one_more_rank
                : alternative.additional + before.sum > explorer_.settings_.explore_polls) {
            note_cut(index);
            return;
        }
        if (has_not_settled(alternative.outcome, where.repetition, where.turns_after) &&
            known_to_turn_ > few_known_to_turn && somebody_has_not_settled(where, alternative)) {
            note_cut(index);
            return;
        }
        alternative.behaviour = behaviour_.with(index, alternative.outcome);
        if (const LeftOutBy by = left_out_by(index); by != LeftOutBy::nothing) {
            const Epoch& epoch = record_.epochs[index];
            ++lesson_.left_out.by_bounds[{.by = by, .call = epoch.call, .where = epoch.where}];
        }
        needed_ += 1 + alternative.needs.size();
        lesson_.found.push_back({.run = is_own(index) ? lesson_.number : path_[where.depth]->number,
                                 .step = where.step,
                                 .alternative = std::move(alternative)});
    }

    /// Whether all that has this alternative belongs to what has the known one. With Lamport clocks what an alternative
    /// needs is not certain, and with one_past_of_several other things may be enough: there it suffices that something
    /// may belong to both.
    [[nodiscard]] bool is_within(const Alternative& alternative, const Alternative& known,
                                 bool with_false_answers) const {
        if (known.open != alternative.open ||
            !same_outcome(known.outcome, alternative.outcome, with_false_answers || known.open)) {
            return false;
        }
        return std::all_of(known.needs.begin(), known.needs.end(), [&](const Decision& need) {
            const auto same =
                std::lower_bound(alternative.needs.begin(), alternative.needs.end(), need, replay::by_epoch);
            if (same == alternative.needs.end() || same->epoch != need.epoch) {
                return record_.protocol == clocks::Protocol::lamport || explorer_.settings_.one_past_of_several;
            }
            return same_outcome(same->outcome, need.outcome, need.counted || same->counted);
        });
    }

    struct Additional {
        std::uint32_t sum = 0;
        std::set<base::Rank> ranks;  ///< whose they are
    };

    /// Calls `visit` for what was settled before the alternative is, and for what it needs: with the epoch's rank,
    /// those of Decision::additional that have a part in the bounds, and whether a stretch has ended before it has
    /// settled.
    template <typename Visit>
    void for_each_before(const Settled& where, const Alternative& alternative, Visit&& visit) {
        const auto visit_one = [&](base::Rank rank, const auto& each, const Outcome* outcome) {
            visit(rank, is_free(each.repetition) ? 0 : each.additional,
                  outcome != nullptr && has_not_settled(*outcome, each.repetition, each.turns_after));
        };
        looked_at_ += settled_.size();
        for (std::size_t i = 0; i < settled_.size(); ++i) {
            if (settled_[i].known && settled_[i].before(where)) {
                const Epoch& epoch = record_.epochs[i];
                visit_one(epoch.id.rank, settled_[i], epoch.outcome ? &*epoch.outcome : nullptr);
            }
        }
        for (const Decision& need : alternative.needs) {
            visit_one(need.epoch.rank, need, &need.outcome);
        }
        const std::uint32_t depth = where.depth;
        for (const Decision& open : depth == own_depth() ? told_.open : path_[depth]->open) {
            const std::optional<std::size_t> i = record_.place(open.epoch);
            const bool visited = i && settled_[*i].known && !where.before(settled_[*i]);
            if (!visited && find(alternative.needs, open.epoch) == nullptr) {
                visit_one(open.epoch.rank, open, nullptr);
            }
        }
    }

    /// The additional false answers.
    [[nodiscard]] Additional additional_before(const Settled& where, const Alternative& alternative) {
        Additional before;
        if (counts_false_answers()) {
            for_each_before(where, alternative, [&](base::Rank rank, std::uint32_t additional, bool /*not_settled*/) {
                if (additional != 0) {
                    // More of them than may be were the run's own, after one that was not.
                    before.sum += std::min(additional, std::max(1U, explorer_.settings_.explore_polls));
                    before.ranks.insert(rank);
                }
            });
        }
        return before;
    }

    [[nodiscard]] static bool has_not_settled(const Outcome& outcome, replay::Repetition repetition,
                                              std::uint32_t turns_after) {
        return repetition == replay::Repetition::settles && outcome.false_answers < turns_after;
    }

    /// Whether each number of its false answers is explored, whatever those of others.
    [[nodiscard]] bool is_free(replay::Repetition repetition) const {
        return automatic() && repetition == replay::Repetition::gives_up && known_to_turn_ <= few_known_to_turn;
    }

    [[nodiscard]] bool somebody_has_not_settled(const Settled& where, const Alternative& alternative) {
        bool any = false;
        for_each_before(where, alternative, [&](base::Rank /*rank*/, std::uint32_t /*additional*/, bool not_settled) {
            any = any || not_settled;
        });
        return any;
    }

    const MatchRelations& explorer_;
    const HandedOut& told_;
    const RunRecord& record_;
    const std::stop_token& stop_;
    Causality causality_;
    heuristics::BehaviourOf behaviour_;
    Lesson& lesson_;
    std::vector<const Run*> path_;   ///< by depth: the runs whose alternatives led to this one
    std::vector<Settled> settled_;   ///< by epoch
    std::size_t known_to_turn_ = 0;  ///< stretches that have a Settled::turns_after
    /// How many stretches that began there were counted.
    std::map<std::tuple<base::Rank, PollingPlaceName, std::uint32_t>, std::uint32_t> iterations_;
    std::vector<std::size_t> steps_;
    std::vector<bool> needed_earlier_;  ///< by epoch
    std::vector<std::size_t> order_;    ///< epochs in the order in which they were settled
    /// By place in order_, with Lamport clocks: what has the lowest clock from there on.
    std::vector<std::size_t> earliest_from_;
    const clocks::VectorClock* before_ = nullptr;  ///< what was settled before the epoch that is looked at
    std::size_t earliest_here_or_later_ = none;
    std::size_t needed_ = 0;     ///< alternatives found, and decisions that they need
    std::size_t looked_at_ = 0;  ///< decisions and epochs, to find out what alternatives need and which are new
};

std::optional<Interleaving> MatchRelations::next() {
    if (!begun_) {
        begun_ = true;
        return hand_out({});
    }
    if (const auto name =
            agenda_.next(static_cast<double>(kept_) >= part_for_any_order * static_cast<double>(settings_.most_kept))) {
        return hand_out(take(*runs_.at(name->run), name->step, name->index));
    }
    if (handed_out_.empty() && go_on_where_nobody_was()) {
        return next();
    }
    if (handed_out_.empty() && settings_.explore_polls == 0 && !settings_.explore_undecided_polls) {
        for (const auto& [name, place] : polling_places_) {
            if (!place.asks_again && !place.goes_on && !place.tried && !place.trial.empty()) {
                return hand_out(take_trial(name));
            }
        }
    }
    return std::nullopt;
}

Interleaving MatchRelations::hand_out(HandedOut handed_out) {
    Interleaving interleaving{
        .number = ++last_number_, .decisions = handed_out.decisions, .trial = handed_out.trial.has_value()};
    if (settings_.merge_states && !interleaving.trial) {
        interleaving.meeting_number = interleaving.number;
        interleaving.only_closed =
            static_cast<double>(kept_) >= part_for_any_order * static_cast<double>(settings_.most_kept) ||
            open_states_.epochs >= most_open_epochs;
        interleaving.given_up = std::exchange(given_up_, {});
        if (const Run* parent = handed_out.parent;
            parent != nullptr && parent->steps[handed_out.origin.step].alternatives[handed_out.origin.index].goes_on) {
            interleaving.given_up.push_back(*parent->ended_in);
        }
    }
    if (settings_.seed != 0 && interleaving.number != 1 && !interleaving.trial) {
        interleaving.free_seed = std::mt19937_64(settings_.seed + interleaving.number)();
    }
    handed_out_.emplace(interleaving.number, std::move(handed_out));
    return interleaving;
}

MatchRelations::HandedOut MatchRelations::take(Run& run, std::uint32_t step, std::uint32_t index) {
    DAMPI_CHECK(step < run.steps.size() && index < run.steps[step].alternatives.size());
    agenda_.remove({.run = run.number, .step = step, .index = index});
    ++run.unfinished;
    run.steps[step].handed_out[index] = 1;

    const Alternative& alternative = run.steps[step].alternatives[index];
    HandedOut taken{.parent = &run,
                    .origin = {.run = run.number, .step = step, .index = index},
                    .trial = {},
                    .kept = run.kept,
                    .open = {},
                    .opened = alternative.open,
                    .decisions = {},
                    .room = run.steps[step].bound.room};
    for (std::uint32_t i = 0; i < step; ++i) {
        taken.kept.push_back({.decision = run.steps[i].made, .depth = run.depth, .step = i, .is_step = true});
    }
    for (const Decision& need : alternative.needs) {
        taken.kept.push_back({.decision = need, .depth = run.depth, .step = step, .is_step = false});
    }
    Decision decision = run.steps[step].made;
    decision.outcome = alternative.outcome;
    decision.kind = alternative.kind;
    decision.comm = alternative.comm;
    decision.tag = alternative.tag;
    decision.open = alternative.open;
    decision.additional = alternative.additional;
    decision.at_least = alternative.at_least;
    const replay::EpochId epoch = decision.epoch;
    if (alternative.open) {
        taken.open.push_back(std::move(decision));
    } else if (!alternative.goes_on) {
        taken.kept.push_back({.decision = std::move(decision), .depth = run.depth, .step = step, .is_step = false});
    }
    std::sort(taken.kept.begin(), taken.kept.end(), kept_by_epoch);
    for (const UnfinishedRun::Kept& kept : taken.kept) {
        taken.decisions.push_back(kept.decision);
    }
    for (const Decision& open : run.open) {
        if ((open.epoch != epoch || alternative.goes_on) && find(taken.decisions, open.epoch) == nullptr) {
            taken.open.push_back(open);
        }
    }
    std::sort(taken.open.begin(), taken.open.end(), replay::by_epoch);
    taken.decisions.insert(taken.decisions.end(), taken.open.begin(), taken.open.end());
    std::sort(taken.decisions.begin(), taken.decisions.end(), replay::by_epoch);
    return taken;
}

MatchRelations::HandedOut MatchRelations::take_trial(const PollingPlaceName& name) {
    PollingPlace& place = polling_places_.at(name);
    place.tried = true;
    return {.parent = nullptr,
            .origin = {},
            .trial = name,
            .kept = {},
            .open = {},
            .opened = false,
            .decisions = place.trial,
            .room = {}};
}

std::optional<Lesson> MatchRelations::learn(std::uint64_t number, const RunRecord& record,
                                            const std::stop_token& stop) const {
    const HandedOut& told = handed_out_.at(number);
    Lesson lesson;
    lesson.number = number;
    lesson.origin = told.origin;
    lesson.trial = told.trial;
    if (const auto parent = runs_.find(told.origin.run); parent != runs_.end()) {
        const UnfinishedRun::Step& step = parent->second->steps[told.origin.step];
        if (step.alternatives[told.origin.index].goes_on) {
            lesson.goes_on_from = told.origin.run;
        }
    }
    for (const auto& [rank, omitted] : record.omitted) {
        lesson.left_out.otherwise[at_place(more_than_kept, {}, {})] += std::max<std::uint64_t>(omitted.count, 1);
    }
    lesson.deviation = first_deviation(record, told.decisions);
    if (lesson.deviation) {
        return lesson;
    }
    lesson.counted = record.may_be_met && !told.trial;
    lesson.merged = record.merged;
    lesson.merged_open = record.merged_open;
    lesson.meetings = record.meetings;
    lesson.open_states = record.open_states;
    if (lesson.counted) {
        lesson.shown = OutcomeCount::shown_by(record);
        lesson.length = static_cast<std::uint32_t>(
            std::count_if(record.epochs.begin(), record.epochs.end(), [](const Epoch& each) { return each.outcome; }));
    }
    Reading reading(*this, told, record, lesson, stop);
    reading.settle();
    reading.look_at_polls();
    if (!told.trial) {
        reading.look_at_open_states();
        reading.look_at_behaviour();
        reading.find_alternatives();
    }
    if (stop.stop_requested()) {
        return std::nullopt;
    }
    return lesson;
}

void MatchRelations::apply(const Lesson& lesson) {
    HandedOut told;
    if (auto handed_out = handed_out_.extract(lesson.number)) {
        told = std::move(handed_out.mapped());
    } else if (lesson.trial) {  // from an earlier sweep
        told = take_trial(*lesson.trial);
    } else if (lesson.origin.run != 0) {
        Run& parent = *runs_.at(lesson.origin.run);
        if (parent.ended_in && lesson.origin.step + 1 == parent.steps.size() &&
            parent.steps.back().alternatives.empty()) {
            give_up(*parent.ended_in);  // as go_on_where_nobody_was() had done, which is in no lesson
        }
        told = take(parent, lesson.origin.step, lesson.origin.index);
    }
    begun_ = true;
    last_number_ = std::max(last_number_, lesson.number);
    for (const auto& [name, place] : lesson.polling) {
        const bool tried = polling_places_[name].tried;
        polling_places_[name] = place;
        polling_places_[name].tried = tried || place.tried;
    }
    left_out_ += lesson.left_out;
    agenda_.novelty().see(lesson.behaviour);
    if (lesson.trial) {
        return;
    }
    Run* const parent = told.parent;
    if (lesson.counted) {
        outcomes_.add(counted_run(lesson, told));
    }
    const double share = parent == nullptr ? 1 : parent->steps[told.origin.step].shares[told.origin.index];
    const bool is_kept = !lesson.steps.empty() || lesson.merged_open;
    if (is_kept) {
        keep_run(lesson, std::move(told), share);
    } else {
        done_ += share;
    }
    for (const Lesson::Found& found : lesson.found) {
        if (found.run != lesson.number) {
            Run& run = *runs_.at(found.run);
            UnfinishedRun::Step& step = run.steps.at(found.step);
            step.alternatives.push_back(found.alternative);
            run.size += size_of(found.alternative);
            kept_ += size_of(found.alternative);
            step.shares.push_back(0);  // what is new came without notice
            step.handed_out.push_back(0);
            if (step.bound.left_out_by == LeftOutBy::nothing) {
                add_pending(run, found.step, static_cast<std::uint32_t>(step.alternatives.size() - 1));
            }
        }
    }
    learn_of_open_states(lesson);
    if (parent != nullptr) {
        parent->unfinished -= is_kept ? 0 : 1;
        finish(parent);
    }
    if (lesson.merged_open) {
        forget_settled_meetings();
    }
}

/// A run that has ended in an open state waits for what comes of that.
void MatchRelations::learn_of_open_states(const Lesson& lesson) {
    if (!lesson.open_states.empty()) {
        const bool is_kept = runs_.contains(lesson.number);  // else nothing is behind them
        const auto& states = open_states_.of_runs[lesson.number] =
            is_kept ? lesson.open_states : std::vector<replay::OpenState>();
        open_states_.epochs += epochs_in(states);
    }
    if (lesson.merged_open) {
        OpenStates::Meeting& meeting = open_states_.meetings[*lesson.merged];
        meeting.ended.push_back(lesson.number);
        ++runs_.at(lesson.number)->unfinished;
        if (meeting.given_up) {
            go_on(lesson.number);
            meeting.ended.clear();
        }
    }
    for (const replay::Merge& name : lesson.given_up) {
        give_up(name);
        given_up_.push_back(name);
    }
}

/// All that have ended in the state go on.
void MatchRelations::give_up(const replay::Merge& name) {
    OpenStates::Meeting& meeting = open_states_.meetings[name];
    meeting.given_up = true;
    for (const std::uint64_t run : std::exchange(meeting.ended, {})) {
        go_on(run);
    }
}

/// The run has ended in a state that is given up: it is to be explored what follows.
void MatchRelations::go_on(std::uint64_t number) {
    Run& run = *runs_.at(number);
    --run.unfinished;
    outcomes_.go_on(number);
    UnfinishedRun::Step& step = run.steps.back();
    DAMPI_CHECK(run.ended_in && step.alternatives.empty());
    step.alternatives.push_back({.outcome = {}, .goes_on = true});
    step.shares.push_back(0);
    step.handed_out.push_back(0);
    add_pending(run, static_cast<std::uint32_t>(run.steps.size() - 1), 0);
}

/// Of the states in which runs have ended: those behind which something is left to be run.
std::set<replay::Merge> MatchRelations::may_be_given_up() const {
    std::set<replay::Merge> open;
    std::map<std::uint64_t, std::uint32_t> running;  // by run: the last of its steps for which something is under way
    for (const auto& [number, told] : handed_out_) {
        if (told.parent != nullptr) {
            std::uint32_t& last = running[told.parent->number];
            last = std::max(last, told.parent->steps[told.origin.step].settled);
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        // By run: up to where something is left behind what it has come to. Runs come after those that led to them.
        std::map<std::uint64_t, std::uint32_t> left = running;
        for (auto at = runs_.rbegin(); at != runs_.rend(); ++at) {
            const Run& run = *at->second;
            std::uint32_t& last = left[run.number];
            for (const UnfinishedRun::Step& step : run.steps) {
                const bool explored = step.bound.left_out_by == LeftOutBy::nothing;
                const bool pending =
                    explored && std::find(step.handed_out.begin(), step.handed_out.end(), 0) != step.handed_out.end();
                last = pending ? std::max(last, step.settled) : last;
            }
            if (run.ended_in && open.contains(*run.ended_in)) {
                last = ~std::uint32_t{0};  // it may have to go on
            }
            if (last != 0 && run.parent != nullptr) {
                std::uint32_t& of_parent = left[run.parent->number];
                of_parent = std::max(of_parent, run.parent->steps[run.origin.step].settled);
            }
        }
        for (const auto& [name, meeting] : open_states_.meetings) {
            const auto of_run = left.find(name.run);
            const bool is_open = !open_states_.of_runs.contains(name.run) ||  // it is not over, or runs again
                                 (of_run != left.end() && of_run->second > name.settled);
            if (!meeting.ended.empty() && is_open) {
                changed = open.insert(name).second || changed;
            }
        }
    }
    return open;
}

/// What has ended in a state that nothing can give up any more need not be kept.
void MatchRelations::forget_settled_meetings() {
    constexpr std::size_t few = 5'000;
    if (kept_ < few + 2 * looked_at_) {
        return;
    }
    const std::set<replay::Merge> open = may_be_given_up();
    std::vector<std::uint64_t> over;
    for (auto& [name, meeting] : open_states_.meetings) {
        if (!open.contains(name)) {
            over.insert(over.end(), meeting.ended.begin(), meeting.ended.end());
            meeting.ended.clear();
        }
    }
    for (const std::uint64_t run : over) {
        --runs_.at(run)->unfinished;
    }
    for (const std::uint64_t run : over) {
        if (const auto found = runs_.find(run); found != runs_.end()) {  // else it is over with one that it had led to
            finish(found->second.get());
        }
    }
    looked_at_ = kept_;
}

/// Who has ended in states of runs that were interrupted, and are run again under another number.
bool MatchRelations::go_on_where_nobody_was() {
    bool any = false;
    for (const auto& [name, meeting] : open_states_.meetings) {
        if (!meeting.ended.empty() && !open_states_.of_runs.contains(name.run)) {
            give_up(name);
            any = true;
        }
    }
    return any;
}

OutcomeCount::Run MatchRelations::counted_run(const Lesson& lesson, const HandedOut& told) {
    OutcomeCount::Run run{.number = lesson.number,
                          .parent = told.origin.run,
                          .merged = lesson.merged,
                          .meetings = lesson.meetings,
                          .shown = lesson.shown,
                          .length = lesson.length};
    if (told.parent != nullptr) {
        run.branch = told.parent->steps[told.origin.step].settled;
        for (const UnfinishedRun::Kept& kept : told.kept) {
            if (!kept.is_step && kept.depth == told.parent->depth && kept.step == told.origin.step) {
                run.needed.push_back(kept.decision);
            }
        }
    }
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        if (lesson.settled.at(i) != ~std::uint32_t{0}) {
            run.steps.push_back({.made = lesson.steps[i], .settled = lesson.settled[i]});
        }
    }
    run.steps.insert(run.steps.end(), lesson.rest.begin(), lesson.rest.end());
    return run;
}

void MatchRelations::keep_run(const Lesson& lesson, HandedOut handed_out, double share) {
    auto made = std::make_unique<Run>();
    Run& run = *made;
    run.number = lesson.number;
    run.origin = handed_out.origin;
    run.parent = handed_out.parent;
    run.depth = run.parent == nullptr ? 0 : run.parent->depth + 1;
    run.kept = std::move(handed_out.kept);
    run.open = std::move(handed_out.open);
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const Decision* open = find(run.open, lesson.steps[i].epoch);
        run.steps.push_back({.made = lesson.steps[i],
                             .fewest_false_answers = open == nullptr ? 0 : open->at_least,
                             .bound = lesson.bounds.at(i),
                             .settled = lesson.settled.at(i)});
    }
    for (const Lesson::Found& found : lesson.found) {
        if (found.run == run.number) {
            run.steps.at(found.step).alternatives.push_back(found.alternative);
        }
    }
    if (lesson.merged_open) {
        run.ended_in = lesson.merged;
        run.steps.push_back({.made = {}, .settled = ~std::uint32_t{0}});
    }
    done_ += share_out(run, share);
    set_pending(run);
    keep_in_mind(run);
    runs_.emplace(run.number, std::move(made));
}

std::size_t MatchRelations::size_of(const Alternative& alternative) { return 1 + alternative.needs.size(); }

void MatchRelations::keep_in_mind(Run& run) {
    run.size = run.kept.size() + run.open.size() + run.steps.size();
    for (const UnfinishedRun::Step& step : run.steps) {
        for (const Alternative& alternative : step.alternatives) {
            run.size += size_of(alternative);
        }
    }
    kept_ += run.size;
}

/// What part of all each alternative of the run presumably is, if the run is this one; as if each later step that they
/// leave room for had as many alternatives in any case. Returns what part the run itself is.
double MatchRelations::share_out(Run& run, double share) {
    std::vector<double> ways;  // through the step: 1 and its alternatives
    for (const UnfinishedRun::Step& step : run.steps) {
        ways.push_back(step.bound.left_out_by == LeftOutBy::nothing ? 1 + static_cast<double>(step.alternatives.size())
                                                                    : 1);
    }
    std::vector<double> sizes(ways.size(), 1);  // of what each alternative of a step stands for
    double to_the_end = 1;                      // without bounds
    double all = 1;
    for (std::size_t i = ways.size(); i-- != 0;) {
        const heuristics::Room& room = run.steps[i].bound.room;
        if (room == heuristics::Room{}) {
            sizes[i] = to_the_end;
        } else {
            for (std::size_t later = i + 1; later < ways.size() && later - i <= room.steps; ++later) {
                sizes[i] *= run.steps[later].bound.zone <= room.last_zone ? ways[later] : 1;
            }
        }
        to_the_end *= ways[i];
        all += (ways[i] - 1) * sizes[i];
    }
    for (std::size_t i = 0; i < ways.size(); ++i) {
        UnfinishedRun::Step& step = run.steps[i];
        // With very many, both may be beyond what can be written down.
        const double each = std::isfinite(all) ? share * sizes[i] / all : 0;
        step.shares.assign(step.alternatives.size(), ways[i] == 1 ? 0 : each);
        step.handed_out.assign(step.alternatives.size(), 0);
    }
    return share / all;
}

void MatchRelations::add_pending(const Run& run, std::uint32_t step, std::uint32_t index) {
    agenda_.add({.run = run.number, .step = step, .index = index}, run.steps[step].alternatives[index].behaviour);
}

/// Of a run that is new here: all that are to be explored and not handed out.
void MatchRelations::set_pending(const Run& run) {
    for (std::uint32_t step = 0; step < run.steps.size(); ++step) {
        if (run.steps[step].bound.left_out_by != LeftOutBy::nothing) {
            continue;
        }
        for (auto index = static_cast<std::uint32_t>(run.steps[step].alternatives.size()); index-- != 0;) {
            if (run.steps[step].handed_out[index] == 0) {
                add_pending(run, step, index);  // depth first: at the end
            }
        }
    }
}

void MatchRelations::finish(Run* run) {
    while (run != nullptr && !agenda_.has(run->number) && run->unfinished == 0) {
        Run* const parent = run->parent;
        kept_ -= run->size;
        if (const auto states = open_states_.of_runs.find(run->number); states != open_states_.of_runs.end()) {
            open_states_.epochs -= epochs_in(states->second);
            states->second = {};  // nothing is behind them any more
        }
        runs_.erase(run->number);
        run = parent;
        if (run != nullptr) {
            --run->unfinished;
        }
    }
}

void MatchRelations::give_back(std::uint64_t number) {
    const auto handed_out = handed_out_.extract(number);
    DAMPI_CHECK(!handed_out.empty());
    const HandedOut& told = handed_out.mapped();
    if (told.trial) {
        polling_places_.at(*told.trial).tried = false;
    } else if (told.parent == nullptr) {
        begun_ = false;
        last_number_ = 0;
    } else {
        told.parent->steps[told.origin.step].handed_out[told.origin.index] = 0;
        --told.parent->unfinished;
        add_pending(*told.parent, told.origin.step, told.origin.index);
    }
}

LeftOutAlternatives MatchRelations::left_out() const {
    LeftOutAlternatives all = left_out_;
    for (const auto& [name, place] : polling_places_) {
        const bool explored = settings_.explore_polls != 0;
        const bool automatic = settings_.explore_undecided_polls;
        const auto leave_out = [&, at = &place](const Reason& reason) {
            ++all.otherwise[at_place(reason, at->call, at->where)];
        };
        if (!explored && (place.goes_on || (place.tried && !place.asks_again))) {
            leave_out(goes_on_after_false);
        } else if (automatic && place.cut) {
            leave_out(other_counts);
        } else if (explored && place.goes_on && place.cut) {
            leave_out(gives_up_after_some);
        } else if (place.undecided && (!explored || place.cut)) {
            leave_out(undecided_repetition);
        }
    }
    return all;
}

ExplorerState MatchRelations::state() const {
    ExplorerState state{.last_number = last_number_,
                        .done = done_,
                        .runs = {},
                        .left_out = left_out_,
                        .behaviour = agenda_.novelty().seen(),
                        .polling = polling_places_,
                        .outcomes = outcomes_,
                        .open_states = open_states_};
    for (const auto& [number, run] : runs_) {
        state.runs.push_back(*run);
    }
    for (const auto& [number, told] : handed_out_) {
        if (told.trial) {
            state.polling.at(*told.trial).tried = false;
        } else if (told.parent != nullptr) {
            const auto run =
                std::lower_bound(state.runs.begin(), state.runs.end(), told.parent->number,
                                 [](const UnfinishedRun& each, std::uint64_t wanted) { return each.number < wanted; });
            run->steps[told.origin.step].handed_out[told.origin.index] = 0;
        }
    }
    if (!begun_ || handed_out_.contains(1)) {
        state.last_number = 0;
    }
    return state;
}

void MatchRelations::restore(ExplorerState state) {
    DAMPI_CHECK(!begun_);
    begun_ = state.last_number != 0;
    last_number_ = state.last_number;
    done_ = state.done;
    left_out_ = std::move(state.left_out);
    agenda_.novelty().see(state.behaviour);
    polling_places_ = std::move(state.polling);
    outcomes_ = std::move(state.outcomes);
    open_states_ = std::move(state.open_states);
    for (UnfinishedRun& each : state.runs) {
        auto run = std::make_unique<Run>();
        static_cast<UnfinishedRun&>(*run) = std::move(each);
        if (run->origin.run != 0) {
            run->parent = runs_.at(run->origin.run).get();
            ++run->parent->unfinished;
        }
        set_pending(*run);
        keep_in_mind(*run);
        runs_.emplace(run->number, std::move(run));
    }
    for (const auto& [name, meeting] : open_states_.meetings) {
        for (const std::uint64_t run : meeting.ended) {
            ++runs_.at(run)->unfinished;
        }
    }
}

}  // namespace dampi::scheduler
