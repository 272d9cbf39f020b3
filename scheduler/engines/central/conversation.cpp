#include "scheduler/engines/central/conversation.hpp"

#include "replay/polling_patience.hpp"
#include "replay/sleeping_patience.hpp"
#include "scheduler/engines/central/refused.hpp"
#include "scheduler/engines/central/run_slots.hpp"
#include "scheduler/engines/run_setup.hpp"
#include "scheduler/judgement/stuck_ranks.hpp"
#include "transport/requests/payload.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace dampi::scheduler::central {
namespace {

using namespace std::chrono_literals;
using namespace transport::requests;
using launch::RankEnd;
using Clock = std::chrono::steady_clock;

// How often is looked at processes, and at those who are stuck while others compute.
constexpr auto look_interval = std::chrono::microseconds(2ms);
constexpr auto shortest_look_interval = 50us;
// Over how long is judged whether the ranks take turns.
constexpr auto look_at_pace = 50ms;
// Choices are made although some rank computes: it may wait for others outside MPI. So much time it has, without what
// it waits for a processor of a busy machine, but no longer than `most_` in all.
constexpr auto patience_with_computing = 100ms;
constexpr auto most_patience_with_computing = 20 * patience_with_computing;
// What a poll waits for ranks that compute, at the least while it is not in haste (replay/polling_patience.hpp).
constexpr auto shortest_patience = std::chrono::microseconds(1ms);
// As much of the time between two looks counts as patience: where the machine is so busy that it took longer, ranks
// that compute did not come to it either.
constexpr auto most_between_looks = 2 * look_interval;
// After a death, of ranks that follow no decision.
constexpr std::uint64_t most_polls_after_death = 1000;

}  // namespace

Conversation::Conversation(launch::Job& job, transport::RunControl& ranks, const Exchange& exchange, Machine& machine,
                           const ConversationSettings& settings)
    : job_(job),
      ranks_(ranks),
      exchange_(exchange),
      machine_(machine),
      calls_(settings.calls),
      wants_snapshot_(settings.wants_snapshot),
      take_snapshot_(settings.take_snapshot),
      visit_state_(settings.visit_state),
      only_closed_(settings.only_closed),
      wants_state_(settings.wants_state),
      repetitions_(settings.repetitions),
      go_apart_(settings.go_apart),
      others_sleep_(settings.others_sleep),
      loops_for_ever_(settings.loops_for_ever),
      told_states_(static_cast<std::size_t>(job.processes())),
      ended_(static_cast<std::size_t>(job.processes())),
      ending_(settings.limits, [&machine] { return machine.waits_for_decision(); }),
      processor_times_(static_cast<std::size_t>(job.processes())),
      patience_(static_cast<std::size_t>(job.processes())),
      sleep_patience_(static_cast<std::size_t>(job.processes())),
      virtual_time_(settings.virtual_time),
      interruptions_(static_cast<std::size_t>(job.processes())),
      look_interval_(look_interval) {
    for (Rank rank = 0; rank < job.processes(); ++rank) {
        if (settings.readers != nullptr) {
            readers_.emplace_back((*settings.readers)[static_cast<std::size_t>(rank)], exchange);
        } else {
            readers_.emplace_back(exchange, rank);
        }
    }
}

RunEnding Conversation::run(const std::stop_token& stop) {
    idle_since_ = Clock::now();
    pace_.since = idle_since_;
    hand_out();  // what the machine has brought along
    while (job_.running() > 0) {
        if (listen()) {
            idle_since_ = {};
            continue;
        }
        if (stop.stop_requested()) {
            ending_.cut_short();
            break;
        }
        const bool all_wait = this->all_wait();
        if (all_wait && wants_snapshot_) {
            consider_snapshot();
        }
        if (all_wait && visit_state_ && consider_state(stop)) {
            break;
        }
        const bool chosen = all_wait && choose();
        if (over_) {
            break;
        }
        if (chosen) {
            if (const Time now = Clock::now(); now >= next_look_) {
                next_look_ = now + look_interval;
                job_.serve(0ms);
                note_ends();
                consider_pace(now);
                if (is_over(now, false)) {
                    break;
                }
            }
            continue;
        }
        bool quiet = false;
        if (nobody_is_left()) {
            job_.serve(100ms);
        } else {
            quiet = all_wait && !others_may_call();
            if (!quiet) {
                await_doorbell(exchange_, short_wait_, look_interval_, [&] { return listen(); });
                hand_out();
                const Time now = Clock::now();
                look_interval_ = lose_patience(now) ? shortest_look_interval : look_interval;
                if (now < next_look_) {
                    continue;
                }
            }
            job_.serve(0ms);
        }
        quiet = !note_ends() && quiet;
        const Time now = Clock::now();
        next_look_ = now + look_interval;
        consider_pace(now);
        if (idle_since_ == Time{}) {
            idle_since_ = now;
        }
        if (is_over(now, quiet)) {
            break;
        }
    }
    return std::move(ending_).ending();
}

template <typename Call>
bool Conversation::take_as(Rank rank) {
    Call call;
    CallReader& reader = readers_[static_cast<std::size_t>(rank)];
    if (virtual_time_) {
        machine_.note_time(rank, ranks_.passed(rank), ranks_.timer_is_set(rank));  // nothing has passed since the call
    }
    return reader.read(call) && (calls_ == nullptr || calls_->take(rank, call)) && machine_.take(rank, call);
}

bool Conversation::take(Rank rank) {
    CallReader& reader = readers_[static_cast<std::size_t>(rank)];
    switch (reader.type()) {
        case CommunicatorCall::type:
            return take_as<CommunicatorCall>(rank);
        case CommunicatorNameCall::type:
            return take_as<CommunicatorNameCall>(rank);
        case CommunicatorFreedCall::type:
            return take_as<CommunicatorFreedCall>(rank);
        case SendCall::type:
            return take_as<SendCall>(rank);
        case ReceiveCall::type:
            return take_as<ReceiveCall>(rank);
        case MatchedReceiveCall::type:
            return take_as<MatchedReceiveCall>(rank);
        case ImmediateCall::type:
            return take_as<ImmediateCall>(rank);
        case PairCall::type:
            return take_as<PairCall>(rank);
        case CollectiveCall::type:
            return take_as<CollectiveCall>(rank);
        case CancelCall::type:
            return take_as<CancelCall>(rank);
        case UnaskedCall::type:
            return take_as<UnaskedCall>(rank);
        case RepetitionStateCall::type: {
            RepetitionStateCall call;
            return reader.read(call) && tell_repetition(rank, {.low = call.low, .high = call.high});
        }
        case RepetitionCall::type: {
            RepetitionCall call;
            if (!reader.read(call) || !machine_.is_trying(rank)) {
                return false;
            }
            learn_repetition(rank, call);
            return take_as<RepetitionCall>(rank);
        }
        case FreeCall::type:
            return take_as<FreeCall>(rank);
        case WaitCall::type:
            return take_as<WaitCall>(rank);
        case ProbeCall::type:
            return take_as<ProbeCall>(rank);
        case FinalizeCall::type:
            return take_as<FinalizeCall>(rank);
        case DetachCall::type:
            return take_as<DetachCall>(rank);
        case RoomCall::type:
            return take_as<RoomCall>(rank);
        case TimerCall::type:
            return take_interrupted(rank);
        case StateCall::type: {
            StateCall call;
            ToldState& told = told_states_[static_cast<std::size_t>(rank)];
            if (!reader.read(call) || !machine_.waits(rank)) {
                return false;
            }
            told.fence = machine_.fence(rank);
            told.state.reset();
            if (call.known != 0) {
                told.state = {.digest = {.low = call.low, .high = call.high}, .last_operation = call.last_operation};
            }
            return true;
        }
        case SleepCall::type:
            return take_as<SleepCall>(rank);
        case AbortCall::type: {
            AbortCall call;
            if (!reader.read(call)) {
                return false;
            }
            if (calls_ != nullptr) {
                (void)calls_->take(rank, call);
            }
            // It waits for an answer that nobody gives under mpiexec either.
            aborts_.push_back({.rank = rank, .code = call.code});
            job_.kill_rank(rank);
            return true;
        }
        case RefusedCall::type: {
            RefusedCall call;
            if (!reader.read(call)) {
                return false;
            }
            throw Refused("the centralized engine does not model " + call.function + ", which rank " +
                          std::to_string(rank) + " has called");
        }
        default:
            return false;
    }
}

bool Conversation::tell_repetition(Rank rank, const base::Digest& state) {
    if (!machine_.is_trying(rank)) {
        return false;
    }
    Answer answer;
    answer.what = Answer::What::repetition;
    if (repetitions_ != nullptr) {
        if (const std::optional<RepetitionCall> known = repetitions_->at(state)) {
            answer.repetition = known->repetition;
            answer.turns_after = known->turns_after;
            answer.round = known->round;
        } else {
            tried_states_[rank] = state;
        }
    }
    readers_[static_cast<std::size_t>(rank)].answer(std::move(answer));
    return true;
}

void Conversation::learn_repetition(Rank rank, const RepetitionCall& call) {
    const auto tried = tried_states_.find(rank);
    if (tried != tried_states_.end()) {
        // Where it looks at a clock the rank goes by the place (and by ClockSites), not by the state.
        if (call.timed == 0) {
            repetitions_->learn(tried->second, call);
        }
        tried_states_.erase(tried);
    }
}

bool Conversation::listen() {
    bool heard = false;
    for (std::size_t i = 0; i < readers_.size(); ++i) {
        CallReader& reader = readers_[i];
        const auto rank = static_cast<Rank>(i);
        bool of_rank = false;
        while (!ended_[i] && reader.next()) {
            of_rank = true;
            if (!take(rank)) {
                distrusted_.insert(rank);
                ended_[i] = true;
                interruptions_[i] = {};
                machine_.end(rank);
                job_.kill_rank(rank);
            }
        }
        if (!reader.sound() && !ended_[i]) {
            distrusted_.insert(rank);
            ended_[i] = true;
            interruptions_[i] = {};
            machine_.end(rank);
            job_.kill_rank(rank);
        }
        reader.release();  // also what only fills the ring up: a large call may wait for that room
        heard = heard || of_rank;
    }
    hand_out();
    return heard;
}

void Conversation::hand_out() {
    if (calls_ != nullptr) {
        calls_->matched(machine_.take_matches());
    }
    for (Machine::Reply& reply : machine_.take_replies()) {
        if (calls_ != nullptr && reply.answer.what == Answer::What::result) {
            calls_->answered(reply.rank, reply.answer);
        }
        if (Interruption& interruption = interruptions_[static_cast<std::size_t>(reply.rank)]; interruption.open) {
            interruption.kept = std::move(reply.answer);
        } else if (!ended_[static_cast<std::size_t>(reply.rank)]) {
            ++answers_;
            readers_[static_cast<std::size_t>(reply.rank)].answer(std::move(reply.answer));
        }
    }
}

bool Conversation::choose() {
    const bool chosen = machine_.choose() || (virtual_time_ ? all_wait() && let_time_pass() : let_poll_go_on());
    if (chosen) {
        hand_out();
    }
    return chosen;
}

bool Conversation::let_poll_go_on() {
    machine_.note_time_passed(false);
    return machine_.release_poll() || machine_.choose_from_late();
}

bool Conversation::all_wait() const {
    return machine_.all_at_fences() && std::none_of(interruptions_.begin(), interruptions_.end(),
                                                    [](const Interruption& each) { return each.open; });
}

void Conversation::interrupt(Rank rank) {
    interruptions_[static_cast<std::size_t>(rank)].open = true;
    Answer answer;
    answer.what = Answer::What::timer;
    readers_[static_cast<std::size_t>(rank)].answer(std::move(answer));
}

bool Conversation::take_interrupted(Rank rank) {
    Interruption& interruption = interruptions_[static_cast<std::size_t>(rank)];
    TimerCall call;
    if (!interruption.open || !readers_[static_cast<std::size_t>(rank)].read(call)) {
        return false;
    }
    interruption.open = false;
    if (std::optional<Answer> kept = std::exchange(interruption.kept, std::nullopt)) {
        readers_[static_cast<std::size_t>(rank)].answer(std::move(*kept));
    }
    return true;
}

bool Conversation::let_time_pass() {
    using What = PassingTime::Step::What;
    PassingTime& time = machine_.time();
    std::vector<RankState> states = look();
    const PassingTime::Step step = time.next(states);
    machine_.note_time_passed(step.on_clocks);
    switch (step.what) {
        case What::wake:
            ranks_.let_pass(step.rank, step.until);
            if (const SleepCall* const sleep = machine_.sleep(step.rank);
                sleep != nullptr && sleep->until <= step.until) {
                machine_.wake_up(step.rank);
            } else if (machine_.waits(step.rank)) {
                interrupt(step.rank);
            }
            return true;
        case What::release:
            return machine_.release_poll(step.rank, step.calls);
        case What::livelock:
        case What::doubt: {
            if (machine_.choose_from_late()) {
                return true;
            }
            const bool repeat = step.what == What::livelock;
            const bool death = somebody_is_gone();
            // Others may be in a deadlock, which is then what there is to say, and which nobody may have looked for
            // yet.
            (void)note_stuck(states, death, Clock::now());
            over_ = ending_.note_livelock(states, repeat, time.in_vain(), death, Clock::now()) ||
                    (repeat && death);  // nothing will come of it any more
            if (!over_ && !death) {
                ending_.cut_short();
                over_ = true;
            }
            return over_;
        }
        case What::nothing:
            return machine_.choose_from_late();
    }
    return false;
}

void Conversation::consider_snapshot() {
    const auto waits_unfinished = [&](Rank rank) {
        return !ended_[static_cast<std::size_t>(rank)] && machine_.waits(rank) && !machine_.finalized(rank);
    };
    for (Rank rank = 0; rank < job_.processes(); ++rank) {
        if (!waits_unfinished(rank)) {
            return;
        }
    }
    if (all_is_well() && wants_snapshot_() && machine_.may_choose_anew()) {
        take_snapshot_(readers_);
    }
}

bool Conversation::all_is_well() const {
    return ending_.nothing_noted() && aborts_.empty() && distrusted_.empty() && job_.running() == job_.processes() &&
           !others_may_call();
}

bool Conversation::consider_state(const std::stop_token& stop) {
    constexpr std::size_t many_candidates = 256;
    // Where that takes long, only now and then: in the same places in each run, so that runs still can meet.
    constexpr std::uint64_t looks_per_outcome = 8192;
    if (machine_.settled() % std::bit_ceil(1 + machine_.looks_for_open_past() / looks_per_outcome) != 0) {
        return false;
    }
    if (machine_.candidates() > many_candidates + 2 * candidates_left_) {
        (void)machine_.open_past();
        candidates_left_ = machine_.candidates();
    }
    if (!machine_.has_met_decisions() || !wants_state_(machine_.settled()) || !machine_.may_choose()) {
        return false;
    }
    const Time begin = Clock::now();
    const bool met = meets_state(stop);
    comparing_ += Clock::now() - begin;
    return met;
}

bool Conversation::meets_state(const std::stop_token& stop) {
    const std::optional<OpenPast> past = machine_.open_past();
    if (!past || (only_closed_ && !past->is_closed()) || !all_is_well() || !ask_for_states(stop)) {
        return false;
    }
    std::vector<Machine::OwnState> states;
    for (const ToldState& told : told_states_) {
        states.push_back(*told.state);
    }
    const auto state =
        machine_.state(states, [this](Place place, std::uint64_t bytes) { return contents(place, bytes); });
    merged_ = state ? visit_state_(*state, *past, machine_.settled()) : std::nullopt;
    if (merged_) {
        send_away();
    }
    return merged_.has_value();
}

bool Conversation::ask_for_states(const std::stop_token& stop) {
    std::vector<Rank> asked;
    for (Rank rank = 0; rank < job_.processes(); ++rank) {
        const auto index = static_cast<std::size_t>(rank);
        if (ended_[index] || !machine_.waits(rank)) {
            return false;
        }
        if (told_states_[index].fence == machine_.fence(rank)) {
            continue;
        }
        Answer answer;
        answer.what = Answer::What::state;
        readers_[index].answer(std::move(answer));
        asked.push_back(rank);
    }
    const auto told = [&] {
        return std::all_of(asked.begin(), asked.end(), [&](Rank rank) {
            return ended_[static_cast<std::size_t>(rank)] ||
                   told_states_[static_cast<std::size_t>(rank)].fence == machine_.fence(rank);
        });
    };
    while (!told()) {
        if (stop.stop_requested()) {
            return false;  // the run ends with that
        }
        await_doorbell(exchange_, short_wait_, look_interval, [&] { return listen(); });
        if (!told()) {
            job_.serve(0ms);
            note_ends();
        }
    }
    return std::none_of(ended_.begin(), ended_.end(), [](bool ended) { return ended; }) &&
           std::all_of(told_states_.begin(), told_states_.end(),
                       [](const ToldState& each) { return each.state.has_value(); });
}

/// The ranks become ready for another run; those that cannot are ended later.
void Conversation::send_away() {
    constexpr auto patience = 1s;
    for (CallReader& reader : readers_) {
        Answer answer;
        answer.what = Answer::What::leave;
        reader.answer(std::move(answer));
    }
    const Time begin = Clock::now();
    while (job_.running() > 0 && Clock::now() - begin < patience) {
        job_.serve(look_interval_ < 1ms ? 1ms : std::chrono::duration_cast<std::chrono::milliseconds>(look_interval_));
    }
}

/// What is there is not believed to be where the rank says, as everything.
base::Digest Conversation::contents(Place place, std::uint64_t bytes) const {
    const std::uint64_t size = exchange_.file().size();
    return place < size && bytes <= size - place && sizeof(BlockHead) <= size - place - bytes
               ? base::digest_of(payload_data(exchange_, place), bytes)
               : base::Digest();
}

bool Conversation::note_ends() {
    bool any = false;
    for (std::size_t i = 0; i < ended_.size(); ++i) {
        const auto rank = static_cast<Rank>(i);
        if (ended_[i] || job_.end_of(rank).how == RankEnd::How::running) {
            continue;
        }
        while (readers_[i].next() && take(rank)) {}
        ended_[i] = true;
        interruptions_[i] = {};
        machine_.end(rank);
        hand_out();
        idle_since_ = {};
        any = true;
    }
    for (const launch::AbortRequest& request : job_.abort_requests()) {
        if (job_.end_of(request.rank).how == RankEnd::How::running) {
            job_.kill_rank(request.rank);
        }
    }
    return any;
}

bool Conversation::nobody_is_left() const {
    for (std::size_t i = 0; i < ended_.size(); ++i) {
        if (!ended_[i] && !machine_.finalized(static_cast<Rank>(i))) {
            return false;
        }
    }
    return true;
}

std::vector<RankState> Conversation::look() const {
    std::vector<RankState> states = machine_.states();
    for (std::size_t i = 0; i < states.size(); ++i) {
        const auto rank = static_cast<Rank>(i);
        transport::RankProgress progress = ranks_.progress(rank);
        RankState& state = states[i];
        state.alive = job_.end_of(rank).how == RankEnd::How::running;
        state.finalized = progress.phase == transport::Phase::finalized || machine_.finalized(rank);
        state.blocked = state.blocked && !progress.multithreaded;
        state.calls = progress.calls;
        state.clock = progress.clock;
        state.passed = progress.passed;
        state.timer = progress.timer <= machine_.time().granted(rank) ? 0 : progress.timer;
        state.polling_threads = std::move(progress.polling_threads);
        state.idle_threads = std::move(progress.idle_threads);
    }
    return states;
}

bool Conversation::others_may_call() const {
    for (Rank rank = 0; rank < job_.processes(); ++rank) {
        if (!machine_.finalized(rank) && ranks_.progress(rank).multithreaded) {
            return true;
        }
    }
    return false;
}

void Conversation::consider_pace(Time now) {
    if (!go_apart_ || now - pace_.since < look_at_pace) {
        return;
    }
    if (!takes_turns({.duration = now - pace_.since, .answers = answers_ - pace_.answers})) {
        go_apart_();
    }
    pace_ = {.since = now, .answers = answers_};
}

bool Conversation::note_stuck(const std::vector<RankState>& states, bool death, Time now) {
    const std::vector<bool> stuck = stuck_ranks(states, Polling::goes_on);
    if (std::find(stuck.begin(), stuck.end(), true) == stuck.end()) {
        return false;
    }
    // Of whom the engine does not believe it is not known what they would have done.
    const std::vector<bool> noted = !distrusted_.empty() ? std::vector<bool>()
                                    : death              ? stuck_whoever_died(states, Polling::goes_on)
                                                         : stuck;
    if (std::find(noted.begin(), noted.end(), true) != noted.end()) {
        ending_.note_deadlock(states, noted, now, now);
    }
    return true;
}

bool Conversation::is_over(Time now, bool quiet) {
    const bool death = somebody_is_gone();
    if (job_.running() == 0) {
        return true;
    }
    std::vector<RankState> states = look();
    if (idle_since_ != Time{}) {
        if (note_stuck(states, death, now)) {
            bool others = machine_.may_choose();  // what was handed over just now is not chosen from yet
            for (Rank rank = 0; rank < job_.processes(); ++rank) {
                const RankState& state = states[static_cast<std::size_t>(rank)];
                others = others || (live(state) && (!machine_.waits(rank) || state.sleeps_until));
            }
            if (!others) {
                return true;  // nobody can go on
            }
        }
    }
    if (quiet) {
        DAMPI_CHECK(death);  // else whoever waits is stuck
        return true;
    }
    if (std::exchange(kept_waiting_, machine_.kept_waiting()) != machine_.kept_waiting()) {
        ending_.note_kept_waiting();
    }
    if (ending_.waits_in_vain(states, death, now) ||
        ending_.finds_no_headway(
            std::move(states), others_sleep_, loops_for_ever_,
            [this](Rank rank) { return launch::processor_time_of(job_.pid(rank)); }, death, now)) {
        return true;
    }
    if (idle_since_ != Time{} && have_had_time(now) && !nobody_is_left()) {
        idle_since_ = now;
        choose();
    }
    if (death && enough_is_seen()) {
        ending_.cut_short();
        return true;
    }
    return ending_.nobody_needs_more_time(death, now);
}

bool Conversation::have_had_time(Time now) {
    const auto passed = now - idle_since_;
    if (passed <= patience_with_computing / 10) {
        return false;
    }
    if (processor_times_since_ != idle_since_) {
        processor_times_since_ = idle_since_;
        for (Rank rank = 0; rank < job_.processes(); ++rank) {
            processor_times_[static_cast<std::size_t>(rank)] = launch::processor_time_of(job_.pid(rank));
        }
    }
    if (passed <= patience_with_computing || passed > most_patience_with_computing) {
        return passed > patience_with_computing;
    }
    for (Rank rank = 0; rank < job_.processes(); ++rank) {
        const auto i = static_cast<std::size_t>(rank);
        if (!ended_[i] && !machine_.waits(rank) &&
            launch::time_had(processor_times_[i], launch::processor_time_of(job_.pid(rank)), passed) <=
                patience_with_computing) {
            return false;
        }
    }
    return true;
}

bool Conversation::somebody_is_gone() const {
    return somebody_died(job_, ranks_) || !distrusted_.empty() || !aborts_.empty();
}

bool Conversation::enough_is_seen() {
    if (!polls_before_death_ || !machine_.has_come_to_decisions()) {
        polls_before_death_ = machine_.successful_polls();
    }
    return machine_.successful_polls() - *polls_before_death_ > most_polls_after_death;
}

bool Conversation::lose_patience(Time now) {
    bool hurry = false;
    bool any = false;
    patient_until_ += std::min<Clock::duration>(now - looked_at_, most_between_looks);
    looked_at_ = now;
    for (std::size_t i = 0; i < patience_.size(); ++i) {
        const auto rank = static_cast<Rank>(i);
        Patience& patience = patience_[i];
        lose_patience_with_sleep(rank, now);
        if (ended_[i] || !machine_.polls(rank)) {
            continue;
        }
        if (patience.fence != machine_.fence(rank)) {
            patience.fence = machine_.fence(rank);
            patience.since = patient_until_;
        }
        auto enough = replay::polling_patience(machine_.repeated_polls(rank), patience.in_vain, patience.answers,
                                               shortest_patience);
        if (virtual_time_) {
            enough = replay::patience_in_virtual_time(enough, machine_.repeated_polls(rank));
        }
        if (machine_.holds_poll(rank)) {
            enough = replay::patience_with_decided;
        }
        hurry = hurry || enough == 0us;
        if (patient_until_ - patience.since >= enough && machine_.lose_patience_with_poll(rank)) {
            patience.in_vain += enough;
            ++patience.answers;
            any = true;
        }
    }
    if (any) {
        hand_out();
    }
    return hurry;
}

void Conversation::lose_patience_with_sleep(Rank rank, Time now) {
    Patience& patience = sleep_patience_[static_cast<std::size_t>(rank)];
    const SleepCall* const sleep = machine_.sleep(rank);
    if (sleep == nullptr) {
        return;
    }
    if (patience.fence != machine_.fence(rank)) {
        patience.fence = machine_.fence(rank);
        patience.since = now;
    }
    const auto longer =
        std::chrono::duration_cast<std::chrono::microseconds>(replay::sleeping_patience(patience.in_vain));
    if (now - patience.since >= std::chrono::nanoseconds(sleep->duration) + longer) {
        patience.in_vain += longer;
        machine_.wake_up(rank);
        hand_out();
    }
}

void Conversation::dismiss() {
    for (std::size_t i = 0; i < ended_.size(); ++i) {
        const auto rank = static_cast<Rank>(i);
        if (!ended_[i] && machine_.waits(rank)) {
            Answer answer;
            answer.what = Answer::What::epilogue;
            readers_[i].answer(std::move(answer));
        }
    }
}

}  // namespace dampi::scheduler::central
