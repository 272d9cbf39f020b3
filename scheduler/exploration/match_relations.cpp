#include "scheduler/exploration/match_relations.hpp"

#include <algorithm>
#include <utility>

namespace dampi::scheduler {

using replay::Completable;
using replay::Decision;
using replay::Epoch;
using replay::EpochKind;
using replay::Interleaving;
using replay::Outcome;

namespace {

/// Up to this many requests all sets that MPI_Waitsome or MPI_Testsome could report are explored.
constexpr std::size_t most_for_all_subsets = 6;

/// What has been explored already is dropped at once, which keeps the number of pending items honest, in runs up to
/// this size.
constexpr std::size_t most_epochs_to_ask_early = 200;

/// A run that was slow may have had very many false answers; nobody needs all the runs with fewer.
constexpr std::uint32_t most_false_answers_taken_back = 32;

Decision decision_for(const Epoch& epoch, const Outcome& outcome) {
    return {.epoch = epoch.id, .kind = epoch.kind, .comm = epoch.comm, .tag = epoch.tag, .outcome = outcome};
}

/// How many of an epoch's false answers were additional ones.
std::uint32_t additional_in(const std::vector<Decision>& decisions, const replay::EpochId& id) {
    const auto found = std::lower_bound(
        decisions.begin(), decisions.end(), id,
        [](const Decision& decision, const replay::EpochId& wanted) { return decision.epoch < wanted; });
    return found != decisions.end() && found->epoch == id ? found->additional : 0;
}

}  // namespace

std::vector<Decision> MatchRelations::decisions_of(const Item& item) {
    const Run& run = *item.run;
    std::vector<Decision> decisions;
    for (std::size_t i = 0; i < run.record.epochs.size(); ++i) {
        const Epoch& epoch = run.record.epochs[i];
        if (i == item.epoch) {
            Decision& decision = decisions.emplace_back(decision_for(epoch, item.outcome));
            decision.open = item.open;
            decision.additional = item.additional;
        } else if (epoch.outcome && !run.causality->precedes(item.epoch, i)) {
            Decision& decision = decisions.emplace_back(decision_for(epoch, *epoch.outcome));
            decision.additional = additional_in(run.decisions, epoch.id);
        }
    }
    return decisions;
}

std::optional<Interleaving> MatchRelations::next() {
    Interleaving interleaving;
    interleaving.number = handed_out_ + 1;
    if (handed_out_ != 0) {
        for (;;) {
            if (items_.empty()) {
                return next_trial();
            }
            const Item item = std::move(items_.back());
            items_.pop_back();
            interleaving.decisions = decisions_of(item);
            if (!explored_.covers(interleaving.decisions)) {
                break;
            }
        }
    }
    ++handed_out_;
    handed_out_trial_ = false;
    handed_out_decisions_ = interleaving.decisions;
    return interleaving;
}

std::optional<Interleaving> MatchRelations::next_trial() {
    for (auto& [key, place] : polling_places_) {
        if (place.asks_again || place.goes_on || place.tried || explore_polls_ != 0) {
            continue;
        }
        place.tried = true;
        handed_out_trial_ = true;
        Outcome more;
        more.false_answers = place.run->record.epochs[place.epoch].outcome->false_answers + 1;
        handed_out_decisions_ = decisions_of(
            {.run = place.run, .epoch = place.epoch, .outcome = std::move(more), .open = true, .additional = 1});
        return Interleaving{.number = ++handed_out_, .decisions = handed_out_decisions_, .trial = true};
    }
    return std::nullopt;
}

MatchRelations::PollingPlace& MatchRelations::place_of(const Epoch& epoch) {
    return polling_places_[{epoch.where.module, epoch.where.offset, epoch.kind}];
}

void MatchRelations::look_at_polls(const std::shared_ptr<const Run>& run) {
    for (std::size_t i = 0; i < run->record.epochs.size(); ++i) {
        const Epoch& epoch = run->record.epochs[i];
        if (!replay::is_polling(epoch.kind) || !epoch.outcome) {
            continue;
        }
        PollingPlace& place = place_of(epoch);
        place.goes_on = place.goes_on || epoch.outcome->gave_up();
        place.asks_again = place.asks_again || epoch.outcome->false_answers > (epoch.outcome->gave_up() ? 1U : 0U);
        if (!place.run && !epoch.outcome->gave_up()) {
            place.run = run;
            place.epoch = i;
        }
    }
}

std::map<std::string, std::uint64_t> MatchRelations::left_out() const {
    std::map<std::string, std::uint64_t> all = left_out_;
    for (const auto& [key, place] : polling_places_) {
        if (explore_polls_ == 0 && (place.goes_on || (place.tried && !place.asks_again))) {
            ++all
                ["places with polling calls (MPI_Test, MPI_Iprobe and the like) after whose answer 'nothing yet' the "
                 "program may go on in another way: --explore-polls 1 explores that"];
        } else if (explore_polls_ != 0 && place.goes_on && place.cut) {
            ++all
                ["places with polling calls (MPI_Test, MPI_Iprobe and the like) that the program repeats some times "
                 "and then gives up: a larger number for --explore-polls explores more of that"];
        }
    }
    return all;
}

void MatchRelations::learn(const replay::RunRecord& record) {
    deviation_ = first_deviation(record, handed_out_decisions_);
    if (deviation_) {
        return;
    }
    auto run = std::make_shared<Run>(Run{.record = {}, .decisions = handed_out_decisions_});
    run->record.protocol = record.protocol;
    run->record.epochs = record.epochs;
    run->causality = std::make_unique<Causality>(run->record);
    look_at_polls(run);
    if (handed_out_trial_ || !explored_.add(record.epochs)) {
        return;
    }
    std::vector<std::size_t> order(run->record.epochs.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    // Depth first: what changes least comes last and is taken next.
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return run->causality->depth(a) < run->causality->depth(b); });
    for (const std::size_t epoch : order) {
        add_alternatives(run, epoch);
    }
    // The items have what they need of these; there may be very many.
    for (Epoch& epoch : run->record.epochs) {
        std::vector<replay::PotentialMatch>().swap(epoch.potential_matches);
        std::vector<Completable>().swap(epoch.completable);
    }
}

void MatchRelations::add_alternatives(const std::shared_ptr<const Run>& run, std::size_t index) {
    const Epoch& epoch = run->record.epochs[index];
    const bool gave_up = epoch.outcome && replay::is_polling(epoch.kind) && epoch.outcome->gave_up();
    const std::uint32_t false_answers = epoch.outcome ? epoch.outcome->false_answers : 0;
    const std::uint32_t additional = additional_in(run->decisions, epoch.id);
    // With Lamport clocks what the call itself depends on may come to contain it: then it cannot be kept.
    if (epoch.outcome && replay::is_polling(epoch.kind) && explore_polls_ != 0 &&
        !run->causality->contains(epoch.posted, index)) {
        if (!gave_up) {
            Outcome more;
            more.false_answers = false_answers + 1;
            add_item({.run = run, .epoch = index, .outcome = more, .open = true, .additional = additional + 1});
        }
        // Where it answered false it could have answered otherwise, unless that depends on what came of it.
        const std::uint32_t own = false_answers - std::min(false_answers, additional);
        for (std::uint32_t fewer = 0; fewer < std::min(false_answers, most_false_answers_taken_back); ++fewer) {
            add_answers(run, index, fewer, fewer - std::min(fewer, own));
        }
        if (gave_up && epoch.kind == EpochKind::test_all) {
            ++left_out_
                ["calls of MPI_Testall that were given up: what follows if they had answered true was not explored"];
        }
    }
    if (!gave_up) {
        add_answers(run, index, false_answers, additional);
    }
}

void MatchRelations::add_answers(const std::shared_ptr<const Run>& run, std::size_t index, std::uint32_t false_answers,
                                 std::uint32_t additional) {
    const Epoch& epoch = run->record.epochs[index];
    const auto add = [&](Outcome outcome) {
        outcome.false_answers = false_answers;
        if (!epoch.outcome || outcome != *epoch.outcome) {
            add_item(
                {.run = run, .epoch = index, .outcome = std::move(outcome), .open = false, .additional = additional});
        }
    };
    if (epoch.outcome && !epoch.outcome->gave_up() && !run->causality->contains(epoch.past, index)) {
        add(*epoch.outcome);  // after fewer false answers
    }
    // In descending order: the last one added is taken first.
    for (auto match = epoch.potential_matches.rbegin(); match != epoch.potential_matches.rend(); ++match) {
        if (!run->causality->contains(match->past, index)) {
            add({.source = match->source, .tag = match->tag, .number = match->number, .completed = {}});
        }
    }
    if (replay::chooses_message(epoch.kind) || !epoch.outcome) {
        return;
    }
    for (std::vector<std::uint32_t>& completed : possible_completions(*run, index)) {
        Outcome outcome;
        outcome.completed = std::move(completed);
        add(std::move(outcome));
    }
}

std::vector<std::vector<std::uint32_t>> MatchRelations::possible_completions(const Run& run, std::size_t index) {
    const Epoch& epoch = run.record.epochs[index];
    std::vector<std::uint32_t> possible;
    for (const Completable& completable : epoch.completable) {
        // Also what the call itself depends on, as above.
        clocks::Clock past = epoch.posted;
        past.merge(completable.known);
        if (!run.causality->contains(past, index)) {
            possible.push_back(completable.position);
        }
    }
    std::vector<std::vector<std::uint32_t>> found;
    const bool some = epoch.kind == EpochKind::wait_some || epoch.kind == EpochKind::test_some;
    if (some && possible.size() <= most_for_all_subsets) {
        for (std::uint32_t set = (1U << possible.size()) - 1; set != 0; --set) {
            std::vector<std::uint32_t> completed;
            for (std::size_t i = 0; i < possible.size(); ++i) {
                if (((set >> i) & 1U) != 0) {
                    completed.push_back(possible[i]);
                }
            }
            found.push_back(std::move(completed));
        }
    } else if (some || epoch.kind == EpochKind::wait_any || epoch.kind == EpochKind::test_any ||
               epoch.kind == EpochKind::test || epoch.kind == EpochKind::get_status) {
        if (some) {
            ++left_out_
                ["calls of MPI_Waitsome or MPI_Testsome with many requests: explored were only one of "
                 "them and all of them at once"];
            found.push_back(possible);
        }
        for (auto position = possible.rbegin(); position != possible.rend(); ++position) {
            found.push_back({*position});
        }
    }
    return found;
}

void MatchRelations::add_item(Item item) {
    // Of large runs it is asked only when the item's turn comes whether it has been explored.
    const bool large = item.run->record.epochs.size() > most_epochs_to_ask_early;
    if (!large || item.open) {
        const std::vector<Decision> decisions = decisions_of(item);
        std::uint64_t additional = 0;
        for (const Decision& decision : decisions) {
            additional += decision.additional;
        }
        if (additional > explore_polls_) {
            place_of(item.run->record.epochs[item.epoch]).cut = true;
            return;
        }
        if (explored_.covers(decisions)) {
            return;
        }
    }
    items_.push_back(std::move(item));
}

}  // namespace dampi::scheduler
