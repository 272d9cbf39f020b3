// What ranks wait for: when it is complete, and what they are told.
#include "scheduler/engines/central/machine.hpp"

#include "replay/polling_patience.hpp"
#include "scheduler/engines/central/call_kinds.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace dampi::scheduler::central {
namespace {

using base::any_source;
using base::ReceiveSpec;
using clocks::Snapshot;
using replay::Decision;
using replay::EpochKind;
using namespace transport::requests;

std::string times(std::uint32_t count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

}  // namespace

bool Machine::complete(const Process& own, const Posting& posting) const {
    switch (posting.kind) {
        case Posting::Kind::receive:
            return posting.cancelled || (posting.receive.message != no_message && resolvable(own, posting.receive));
        case Posting::Kind::send:
            return posting.cancelled || !messages_[posting.message].waited_for ||
                   static_cast<bool>(messages_[posting.message].acknowledged) || posting.went_on ||
                   (posting.room != no_room_use && own.room.fits(own.room.up_to(posting.room), settings_.room));
        case Posting::Kind::collective:
            return posting.ready;
        case Posting::Kind::pair:
            return complete(own, own.postings.at(posting.paired_send)) &&
                   complete(own, own.postings.at(posting.paired_receive));
        case Posting::Kind::matched_receive:
        case Posting::Kind::immediate:
            break;
    }
    return true;
}

/// Whether the program knows that it is complete, or must be told so when it asks: with MPI_PROC_NULL.
bool Machine::surely_complete(const Process& own, const Posting& posting) const {
    return posting.told || posting.kind == Posting::Kind::immediate ||
           (posting.kind == Posting::Kind::pair && surely_complete(own, own.postings.at(posting.paired_send)) &&
            surely_complete(own, own.postings.at(posting.paired_receive)));
}

Completion Machine::completion(Rank rank, Operation operation, Posting& posting, std::uint32_t position) {
    if (posting.kind == Posting::Kind::pair) {
        return completion(rank, operation, process(rank).postings.at(posting.paired_receive), position);
    }
    Process& process_of_rank = process(rank);
    process_of_rank.learned = std::max(process_of_rank.learned, passed_for_others(process_of_rank, posting));
    Completion told_now;
    told_now.operation = operation;
    told_now.position = position;
    told_now.cancelled = posting.cancelled ? 1 : 0;
    const MessageIndex index = posting.kind == Posting::Kind::receive           ? posting.receive.message
                               : posting.kind == Posting::Kind::matched_receive ? posting.message
                                                                                : no_message;
    if (posting.kind == Posting::Kind::receive && posting.receive.posted.epoch) {
        note_told(rank, *posting.receive.posted.epoch);
    }
    if (index != no_message) {
        const Message& message = messages_[index];
        told_now.source = message.source;
        told_now.tag = message.tag;
        told_now.bytes = message.bytes;
        told_now.payload = message.payload;
    }
    if (posting.kind == Posting::Kind::collective) {
        Group& meeting = *group(posting.comm);
        const Round& entered = *round(meeting, posting.sequence);
        const std::size_t own = meeting.index.at(rank);
        for (const std::size_t source : sources_of(meeting, own, entered.entered[own])) {
            const Entered& other = entered.entered[source];
            told_now.parts.push_back({.rank = meeting.rank(source), .bytes = other.bytes, .payload = other.payload});
        }
    }
    return told_now;
}

void Machine::erase(Process& own, Operation operation) {
    const auto found = own.postings.find(operation);
    const Posting& posting = found->second;
    if (posting.kind == Posting::Kind::pair) {
        erase(own, posting.paired_send);
        erase(own, posting.paired_receive);
    }
    const MessageIndex index = posting.kind == Posting::Kind::receive ? posting.receive.message : posting.message;
    if (index != no_message) {
        release_message(index);
    }
    if (posting.kind == Posting::Kind::collective) {
        leave(posting.comm, posting.sequence, static_cast<Rank>(&own - processes_.data()));
    }
    own.postings.erase(operation);
}

void Machine::add_candidacies(Process& own, const WaitFence& fence, std::uint32_t choice, std::uint32_t poll) {
    for (std::size_t i = 0; i < fence.call.operations.size(); ++i) {
        add_candidacy(own, own.postings.at(fence.call.operations[i]),
                      {.choice = choice, .poll = poll, .position = fence.call.positions[i]});
    }
}

void Machine::reply(Rank rank, Answer answer) {
    Process& own = process(rank);
    own.fence = std::monostate{};
    for (Completion& each : own.freed) {
        answer.completions.push_back(std::move(each));
    }
    own.freed.clear();
    answer.passed = std::exchange(own.learned, 0);
    replies_.push_back({.rank = rank, .answer = std::move(answer)});
}

bool Machine::take(Rank rank, const WaitCall& call) {
    Process& own = process(rank);
    if (!may_call(rank) || call.operations.empty() ||
        (!call.positions.empty() && call.positions.size() != call.operations.size())) {
        return false;
    }
    WaitFence fence{.call = call, .choice = {}, .decided = {}};
    if (fence.call.positions.empty()) {
        fence.call.positions.resize(call.operations.size());
        std::iota(fence.call.positions.begin(), fence.call.positions.end(), 0U);
    }
    if (std::adjacent_find(fence.call.positions.begin(), fence.call.positions.end(), std::greater_equal<>()) !=
        fence.call.positions.end()) {
        return false;
    }
    std::set<Operation> different;
    for (const Operation operation : call.operations) {
        const Posting* posting = find(own, operation);
        if (posting == nullptr || posting->freed || posting->in_pair ||
            (call.operations.size() > 1 && !transport::requests::reports_one(call.mode) &&
             !different.insert(operation).second)) {
            return false;
        }
    }
    const bool test = is_test(call.mode);
    const bool all_told = std::all_of(call.operations.begin(), call.operations.end(),
                                      [&](Operation operation) { return own.postings.at(operation).told; });
    const auto sure = [&](Operation operation) { return surely_complete(own, own.postings.at(operation)); };
    const bool cannot_be_false = all_or_nothing(call.mode)
                                     ? std::all_of(call.operations.begin(), call.operations.end(), sure)
                                     : std::any_of(call.operations.begin(), call.operations.end(), sure);
    if (!test || cannot_be_false) {
        const bool chooses = !all_or_nothing(call.mode) && call.operations.size() >= 2;
        if (!test || chooses || !all_told) {
            give_up_polling(rank, call.situation.function, call.situation.site);
        }
        if (chooses) {
            // A test that cannot answer "nothing yet" is a choice like that of a call that waits.
            const EpochKind kind = reports_several(call.mode) ? EpochKind::wait_some : EpochKind::wait_any;
            fence.choice = own.record.post_choice(kind, call.situation);
            fence.cannot_be_false = true;
            add_candidacies(own, fence, *fence.choice);
            if (const Decision* decision = own.record.decision(*fence.choice)) {
                if (makes_sense(fence, kind, decision->outcome.completed)) {
                    fence.decided = decision->outcome.completed;
                } else {
                    own.record.diverge("rank " + std::to_string(rank) + " was to be told by " +
                                           call.situation.function + " of requests that are not active there",
                                       call.situation);
                }
            }
        }
    } else {
        if (have_it_tried(rank, call)) {
            return true;
        }
        const EpochKind kind = kind_of(call.mode);
        if (!take_turn(rank, call.turn, {.kind = kind, .operations = call.operations}, call.situation, "")) {
            return false;
        }
        const std::uint32_t poll = own.polling->current;
        fence.choice = own.polling->choice;
        const bool first = own.polling->polls[poll].operations.empty();
        if (first) {
            own.polling->polls[poll].operations = call.operations;
            add_candidacies(own, fence, *fence.choice, poll);
            own.record.note_requests(*fence.choice, poll, call.operations.size());
        }
        const Decision* decision = own.record.decision(*fence.choice);
        if (first && decision != nullptr && !decision->open && decision->outcome.poll == poll &&
            !decision->outcome.completed.empty() && !makes_sense(fence, kind, decision->outcome.completed)) {
            own.record.diverge("rank " + std::to_string(rank) + " was to be told by " + call.situation.function +
                                   " of requests that are not active there",
                               call.situation);
        }
    }
    begin_fence(own);
    own.fence = std::move(fence);
    look(rank);
    return true;
}

/// Whether the call can report what is decided.
bool Machine::makes_sense(const WaitFence& fence, EpochKind kind, const std::vector<std::uint32_t>& decided) const {
    const auto& positions = fence.call.positions;
    return replay::may_report(kind, decided.size(), positions.size()) &&
           std::all_of(decided.begin(), decided.end(), [&](std::uint32_t position) {
               return std::binary_search(positions.begin(), positions.end(), position);
           });
}

bool Machine::is_worth_trying(const Process& own, const PollingTurn& turn) {
    const bool begins = turn.begins != 0 || !own.polling;
    if (!begins || turn.may_be_tried == 0) {
        return false;
    }
    const Decision* decision = own.record.decision(static_cast<std::uint32_t>(own.record.epochs().size()));
    return decision == nullptr || decision->open;  // an open one goes on freely
}

bool Machine::looks_at_clock(Rank rank, const Situation& situation) const {
    return clock_sites_ != nullptr && clock_sites_->contains({rank, situation.site});
}

ClockSites::Sites Machine::clock_sites() const {
    ClockSites::Sites sites;
    for (const auto& [site, always] : tried_sites_) {
        if (always) {
            sites.insert(site);
        }
    }
    return sites;
}

template <typename Call>
bool Machine::have_it_tried(Rank rank, const Call& call) {
    Process& own = process(rank);
    if (!is_worth_trying(own, call.turn) || looks_at_clock(rank, call.situation)) {
        return false;
    }
    own.tried = call;
    Answer answer;
    answer.what = Answer::What::repetition;
    replies_.push_back({.rank = rank, .answer = std::move(answer)});  // the call itself is not answered yet
    return true;
}

bool Machine::take(Rank rank, const RepetitionCall& call) {
    return std::visit(
        [&]<typename Tried>(Tried tried) {
            if constexpr (std::is_same_v<Tried, std::monostate>) {
                return false;
            } else {
                tried.turn.may_be_tried = 0;
                tried.turn.repetition = call.repetition;
                tried.turn.turns_after = call.turns_after;
                tried.turn.round = call.round;
                tried.turn.timed |= call.timed;
                const auto known = tried_sites_.try_emplace({rank, tried.situation.site}, true).first;
                known->second = known->second && call.timed != 0;
                return take(rank, tried);
            }
        },
        std::exchange(process(rank).tried, std::monostate()));
}

bool Machine::take_turn(Rank rank, const PollingTurn& turn, Poll poll, const Situation& situation,
                        const std::string& communicator) {
    Process& own = process(rank);
    history_counts_ = true;
    const bool probes = replay::chooses_message(poll.kind);
    const bool looks_at_clock = is_worth_trying(own, turn) && this->looks_at_clock(rank, situation);
    // What is asked is filled in by the caller, who sees so that the call is new.
    const std::vector<Operation> operations = std::exchange(poll.operations, {});
    if (turn.begins != 0 || !own.polling) {
        if (turn.poll != 0) {
            return false;
        }
        give_up_polling(rank, situation.function, situation.site);
        Polling begun;
        if (probes) {
            poll.probe = own.record.post_polling_probe(poll.spec, poll.kind, situation, communicator);
            begun.choice = *poll.probe.epoch;
        } else {
            begun.choice = own.record.post_choice(poll.kind, situation);
        }
        begun.polls.push_back(std::move(poll));
        own.polling = std::move(begun);
        if (looks_at_clock) {
            own.record.note_repetition(own.polling->choice, static_cast<std::uint32_t>(replay::Repetition::undecided));
        } else {
            own.record.note_repetition(own.polling->choice, turn.repetition, turn.turns_after, turn.round);
        }
        const replay::Epoch& epoch = own.record.epochs()[own.polling->choice].epoch;
        own.polling->settles = epoch.repetition == replay::Repetition::settles;
        own.polling->at_once = replay::answers_at_once(epoch.repetition, epoch.turns_after, epoch.round);
    } else if (turn.poll == own.polling->polls.size() && turn.poll < replay::most_polls) {
        poll.probe =
            own.record.add_poll(own.polling->choice, poll.kind,
                                probes ? poll.spec : ReceiveSpec{.comm = 0, .source = any_source, .tag = base::any_tag},
                                situation, own.polling->false_answers);
        own.polling->polls.push_back(std::move(poll));
    } else if (turn.poll > own.polling->polls.size() || own.polling->polls[turn.poll].kind != poll.kind ||
               own.polling->polls[turn.poll].spec != poll.spec ||
               own.polling->polls[turn.poll].operations != operations) {
        return false;
    }
    own.polling->unasked = 0;
    own.polling->current = turn.poll;
    own.polling->timed = own.polling->timed || ((turn.timed != 0 || looks_at_clock) && !settings_.virtual_time);
    if (own.polling->polled.size() < replay::most_polled) {
        own.polling->polled.push_back(turn.poll);
    }
    return true;
}

void Machine::end_stretch(Process& own) {
    Polling& polling = *own.polling;
    const bool many = own.record.decision(polling.choice) == nullptr && !polling.settles &&
                      polling.false_answers > replay::few_false_answers(settings_.virtual_time);
    own.record.end_stretch(polling.choice,
                           {.poll = polling.current,
                            .false_answers = polling.false_answers,
                            .released = polling.released,
                            .polled = polling.polls.size() > 1 ? polling.polled : std::vector<std::uint32_t>{},
                            .timed = many || polling.timed});
}

void Machine::note_unanswered(Process& own, const Polling& polling, const clocks::Match& match) {
    for (std::uint32_t i = 0; i < polling.polls.size(); ++i) {
        if (i != polling.current && replay::chooses_message(polling.polls[i].kind)) {
            own.record.note_unanswered(polling.choice, polling.polls[i].probe, match);
        }
    }
}

void Machine::give_up_polling(Rank rank, const std::string& function, std::uint64_t site) {
    Process& own = process(rank);
    if (!own.polling) {
        return;
    }
    own.polling->current = 0;
    const Polling polling = *own.polling;
    const Decision* decision = own.record.decision(polling.choice);
    const bool too_soon = decision != nullptr && polling.false_answers < decision->outcome.false_answers;
    if (decision != nullptr && !decision->open && ((too_soon && !polling.timed) || !decision->outcome.gave_up())) {
        Situation situation;
        situation.function = function.starts_with("MPI_") ? function : "";
        situation.site = site;
        own.record.diverge("rank " + std::to_string(rank) +
                               " was to repeat a polling call that has answered \"nothing yet\" " +
                               times(polling.false_answers) + ", but has called " + function,
                           situation);
    }
    end_stretch(own);
    const clocks::Match match = own.record.choose(polling.choice, {}, {});
    if (replay::chooses_message(polling.polls.front().kind)) {
        own.record.note_unanswered(polling.choice, polling.polls.front().probe, match);
    }
    note_unanswered(own, polling, match);
    own.polling.reset();
}

/// What is decided of the poll at which the rank stands. `waits`: it waits for what is decided. Returns false if it has
/// been answered.
bool Machine::follow_polling_decision(Rank rank, const Situation& situation, bool& decided, bool& waits_for_it) {
    Process& own = process(rank);
    decided = waits_for_it = false;
    if (!own.polling) {
        return true;
    }
    const Decision* decision = own.record.decision(own.polling->choice);
    if (decision == nullptr) {
        if (own.polling->false_answers < own.polling->at_once) {
            ++kept_waiting_;
            answer_nothing_yet(rank);
            return false;
        }
        return true;
    }
    const bool given_up = !decision->open && decision->outcome.gave_up();
    const bool timed = own.polling->timed;
    if ((own.polling->false_answers < decision->outcome.false_answers && (!timed || given_up)) || (given_up && timed)) {
        replay::AnswerInTime in_time;
        if (settings_.virtual_time) {
            in_time = replay::answer_in_time(own.polling->false_answers, decision->outcome.false_answers,
                                             decision->additional, decision->outcome.released);
        }
        // A timer may have gone off before, which the rank has waited for.
        const bool released = in_time.kind == replay::AnswerInTime::Kind::released;
        own.polling->held = released && own.timer_is_set;
        if (!own.polling->held) {
            own.polling->released += released ? 1 : 0;
            ++kept_waiting_;
            const std::uint32_t likewise =
                settings_.virtual_time
                    ? replay::answers_likewise(own.polling->false_answers, decision->outcome.false_answers,
                                               decision->additional, decision->outcome.released)
                    : decision->outcome.false_answers -
                          std::min(decision->outcome.false_answers, own.polling->false_answers + 1);
            answer_nothing_yet(rank, in_time, released && own.timer_is_set ? 0 : likewise);
        }
        return false;
    }
    if (decision->open) {
        return true;
    }
    if (given_up) {
        own.record.diverge("rank " + std::to_string(rank) + " was to go on after " + situation.function +
                               " has answered \"nothing yet\" " + times(own.polling->false_answers) +
                               ", but has asked again",
                           situation);
        return true;
    }
    if (own.polling->current != decision->outcome.poll) {
        answer_nothing_yet(rank);
        return false;
    }
    decided = waits_for_it = true;
    return true;
}

void Machine::answer_nothing_yet(Rank rank, const replay::AnswerInTime& in_time, std::uint32_t unasked) {
    // While the rank answers itself, nothing is late any less, and nobody sees its calls.
    constexpr std::uint32_t most_unasked = 1U << 10;
    Process& own = process(rank);
    const bool may_go_unasked =
        own.polling->polled.size() == replay::most_polled && !settings_.list_matches && !delays_.hold_anything();
    own.polling->unasked = may_go_unasked ? std::min(unasked, most_unasked) : 0;
    own.polling->unasked_released = in_time.kind == replay::AnswerInTime::Kind::released;
    own.polling->held = false;
    ++own.polling->false_answers;
    ++own.false_answers;
    Answer answer;
    answer.flag = 0;
    answer.in_time = in_time;
    answer.unasked = own.polling->unasked;
    reply(rank, std::move(answer));
}

bool Machine::take(Rank rank, const UnaskedCall& call) {
    Process& own = process(rank);
    if (!may_call(rank) || !own.polling || call.false_answers > own.polling->unasked) {
        return false;
    }
    own.polling->unasked = 0;
    own.polling->false_answers += call.false_answers;
    own.polling->released += own.polling->unasked_released ? call.false_answers : 0;
    own.false_answers += call.false_answers;
    return true;
}

std::vector<std::uint32_t> Machine::complete_places(Process& own, const WaitFence& fence) {
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < fence.call.operations.size(); ++i) {
        if (complete(own, own.postings.at(fence.call.operations[i]))) {
            places.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return places;
}

void Machine::look(Rank rank) {
    Process& own = process(rank);
    if (auto* wait = std::get_if<WaitFence>(&own.fence)) {
        look_at_wait(rank, *wait);
    } else if (auto* probe = std::get_if<ProbeFence>(&own.fence)) {
        look_at_probe(rank, *probe);
    } else if (std::holds_alternative<DetachCall>(own.fence) && own.buffered == 0) {
        own.attached.clear();
        reply(rank, {});
    }
}

void Machine::look_at_wait(Rank rank, WaitFence& fence) {
    Process& own = process(rank);
    const auto done = [&](Operation operation) { return complete(own, own.postings.at(operation)); };
    const auto& operations = fence.call.operations;
    bool decided = !fence.decided.empty();
    if (is_test(fence.call.mode) && fence.choice && fence.decided.empty()) {
        bool waits_for_it = false;
        if (!follow_polling_decision(rank, fence.call.situation, decided, waits_for_it)) {
            return;
        }
        if (decided) {
            fence.decided = own.record.decision(own.polling->choice)->outcome.completed;
        }
    }
    if (!decided && (all_or_nothing(fence.call.mode) || operations.size() < 2)) {
        while (fence.complete < operations.size() && done(operations[fence.complete])) {
            ++fence.complete;  // it stays so
        }
        if (fence.complete == operations.size()) {
            std::vector<std::uint32_t> places(operations.size());
            std::iota(places.begin(), places.end(), 0U);
            report(rank, places);
        }
        return;
    }
    if (!decided) {
        return;  // a choice, for which it is too early
    }
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        if (std::binary_search(fence.decided.begin(), fence.decided.end(), fence.call.positions[i])) {
            if (!done(operations[i])) {
                return;
            }
            places.push_back(static_cast<std::uint32_t>(i));
        }
    }
    report(rank, places);
}

/// The wait at which the rank stands reports its operations at these places, all of which are complete.
void Machine::report(Rank rank, const std::vector<std::uint32_t>& places) {
    Process& own = process(rank);
    const WaitFence fence = std::move(std::get<WaitFence>(own.fence));
    const bool stays = fence.call.mode == WaitMode::get_status;
    // In the order of posting.
    std::vector<std::uint32_t> by_posting = places;
    std::sort(by_posting.begin(), by_posting.end(),
              [&](std::uint32_t a, std::uint32_t b) { return fence.call.operations[a] < fence.call.operations[b]; });
    for (const std::uint32_t place : by_posting) {
        settle(rank, own.postings.at(fence.call.operations[place]), true);
    }
    std::vector<Snapshot> known;
    std::vector<std::uint32_t> positions;
    for (const std::uint32_t place : places) {
        known.push_back(told(own, own.postings.at(fence.call.operations[place])));
        positions.push_back(fence.call.positions[place]);
    }
    if (fence.choice) {
        note_settled(rank, *fence.choice, nullptr, no_message);
        note_told(rank, *fence.choice);
        if (settings_.list_matches) {
            matches_.push_back({.rank = rank, .operation = no_operation, .message = {}, .epoch = fence.choice});
        }
        const bool polls = is_test(fence.call.mode) && own.polling;
        if (polls) {
            ++successful_polls_;
            end_stretch(own);
        }
        const clocks::Match match = own.record.choose(*fence.choice, std::move(positions), known);
        if (polls) {
            note_unanswered(own, *own.polling, match);
            own.polling.reset();
        }
    } else {
        for (const Snapshot& each : known) {
            own.record.clocks().learn(each);
        }
    }
    Answer answer;
    for (const std::uint32_t place : places) {
        const Operation operation = fence.call.operations[place];
        Posting& posting = own.postings.at(operation);
        conclude(own, posting);
        answer.completions.push_back(completion(rank, operation, posting, fence.call.positions[place]));
        if (stays) {
            posting.told = true;
            answer.completions.back().told_again = 1;
        } else {
            erase(own, operation);
        }
    }
    reply(rank, std::move(answer));
}

bool Machine::take(Rank rank, const ProbeCall& call) {
    Process& own = process(rank);
    if (!may_call(rank) || (call.source != any_source && !in(call.comm, call.source)) || !in(call.comm, rank) ||
        (call.tag < 0 && call.tag != base::any_tag)) {
        return false;
    }
    ProbeFence fence;
    fence.call = call;
    fence.asked = call.source;
    const ReceiveSpec spec{.comm = call.comm, .source = call.source, .tag = call.tag};
    const EpochKind kind = kind_of(call);
    if (call.polling == 0) {
        give_up_polling(rank, call.situation.function, call.situation.site);
        fence.probe.posted = own.record.post(spec, kind, call.situation, communicator_name(own, call.comm));
        fence.probe.site = call.situation.site;
        if (fence.probe.posted.epoch) {
            const Decision* decision = own.record.decision(*fence.probe.posted.epoch);
            if (decision != nullptr && in(call.comm, decision->outcome.source)) {
                fence.asked = decision->outcome.source;
                fence.probe.forced = true;
            }
        }
        fence.probe.asked = fence.asked;
    } else {
        if (have_it_tried(rank, call)) {
            return true;
        }
        if (!take_turn(rank, call.turn, {.kind = kind, .spec = spec}, call.situation,
                       communicator_name(own, call.comm))) {
            return false;
        }
        const Polling& polling = *own.polling;
        const Decision* decision = own.record.decision(polling.choice);
        const bool asks = decision != nullptr && !decision->open && decision->outcome.poll == polling.current;
        const Rank source = asks ? decision->outcome.source : any_source;
        if (source != any_source && (!in(call.comm, source) || (call.source != any_source && source != call.source))) {
            own.record.diverge("rank " + std::to_string(rank) + " was to see a message from rank " +
                                   std::to_string(source) + " in its operation " + std::to_string(polling.choice) +
                                   ", which does not ask for one",
                               call.situation);
        }
    }
    begin_fence(own);
    own.fence = std::move(fence);
    look(rank);
    return true;
}

void Machine::look_at_probe(Rank rank, ProbeFence& fence) {
    Process& own = process(rank);
    if (fence.call.polling != 0 && !fence.decided) {
        bool decided = false;
        bool waits_for_it = false;
        if (!follow_polling_decision(rank, fence.call.situation, decided, waits_for_it)) {
            return;
        }
        if (decided) {
            fence.decided = true;
            fence.asked = own.record.decision(own.polling->choice)->outcome.source;
        }
    }
    if (is_choice(fence)) {
        return;
    }
    const ReceiveSpec spec{.comm = fence.call.comm, .source = fence.asked, .tag = fence.call.tag};
    const MessageIndex index = matchable(own, spec, spec.source, no_operation);
    if (index != no_message && can_be_seen(own, fence, index)) {
        answer_probe(rank, index);
    }
}

/// The probe at which the rank stands sees the message.
void Machine::answer_probe(Rank rank, MessageIndex index) {
    Process& own = process(rank);
    ProbeFence fence = std::move(std::get<ProbeFence>(own.fence));
    const ReceiveSpec spec{.comm = fence.call.comm, .source = fence.call.source, .tag = fence.call.tag};
    Receive& probe = fence.probe;
    std::optional<Polling> polling;
    if (fence.call.polling != 0) {
        end_stretch(own);
        probe.posted = own.record.post_answer(own.polling->choice, spec);
        polling = std::exchange(own.polling, std::nullopt);
    }
    probe.message = index;
    if (settings_.list_matches) {
        const Message& seen = messages_[index];
        matches_.push_back({.rank = rank,
                            .operation = no_operation,
                            .message = {{.source = seen.source, .comm = seen.comm, .number = seen.number}},
                            .epoch = probe.posted.epoch});
    }
    const bool takes = fence.call.matched != 0;
    history_counts_ = history_counts_ || takes;
    if (takes) {
        take_from_stream(own, index);
        messages_[index].held = true;
    }
    resolve(rank, probe, true, takes);
    if (probe.posted.epoch) {
        note_settled(rank, *probe.posted.epoch, &probe, index);
        note_told(rank, *probe.posted.epoch);
    }
    if (polling) {
        ++successful_polls_;
        note_unanswered(own, *polling, probe.match);
    }
    own.record.clocks().learn(probe.match.after);
    const Message& message = messages_[index];
    Answer answer;
    Completion& seen = answer.completions.emplace_back();
    seen.source = message.source;
    seen.tag = message.tag;
    seen.bytes = message.bytes;
    own.learned = std::max(own.learned, message.sent_at);
    const Rank source = message.source;
    if (takes) {
        answer.message = own.next_matched++;
        own.matched[answer.message] = {.message = index, .after = probe.match.after};
    }
    reply(rank, std::move(answer));
    if (takes) {
        look(source);
    }
}

bool Machine::take(Rank rank, const RoomCall& call) {
    if (!may_call(rank)) {
        return false;
    }
    Process& own = process(rank);
    Answer answer;
    if (own.record.clocks().marks().buffered) {
        own.attached.forget_received(rank, own.record.clocks().now()->clock);
    }
    answer.taken = own.attached.taken(call.overhead);
    answer.takers = own.attached.count();
    // Where they are not followed, all of them seem to be there.
    answer.flag = own.record.clocks().marks().buffered && !own.attached.too_many() ? 1 : 0;
    begin_fence(process(rank));
    reply(rank, std::move(answer));
    return true;
}

bool Machine::take(Rank rank, const SleepCall& call) {
    if (!may_call(rank)) {
        return false;
    }
    // It is no call of MPI's: a sequence of polls goes on behind it.
    begin_fence(process(rank));
    process(rank).fence = call;
    return true;
}

void Machine::wake_up(Rank rank) {
    if (sleep(rank) != nullptr) {
        reply(rank, {});
    }
}

bool Machine::take(Rank rank, const DetachCall& call) {
    if (!may_call(rank)) {
        return false;
    }
    give_up_polling(rank, call.situation.function, call.situation.site);
    begin_fence(process(rank));
    process(rank).fence = call;
    look(rank);
    return true;
}

bool Machine::take(Rank rank, const FinalizeCall& call) {
    if (!may_call(rank)) {
        return false;
    }
    give_up_polling(rank, call.situation.function, call.situation.site);
    begin_fence(process(rank));
    process(rank).fence = call;
    if (call.known != 0) {
        process(rank).end_state = {.low = call.low, .high = call.high};
    }
    look_at_finalize();
    return true;
}

bool Machine::finalizing(Rank rank) const {
    return process(rank).finalized || std::holds_alternative<FinalizeCall>(process(rank).fence);
}

void Machine::look_at_finalize() {
    for (Rank rank = 0; rank < settings_.processes; ++rank) {
        if (!finalizing(rank)) {
            return;
        }
    }
    for (Rank rank = 0; rank < settings_.processes; ++rank) {
        if (!process(rank).finalized) {
            process(rank).finalized = true;
            reply(rank, {});
        }
    }
}

void Machine::end(Rank rank) {
    Process& own = process(rank);
    own.ended = true;
    if (own.fence.index() == 0) {
        give_up_polling(rank, "exit", 0);
    }
    own.fence = std::monostate{};
}

}  // namespace dampi::scheduler::central
