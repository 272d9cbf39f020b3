#include "scheduler/supervision/quiescence.hpp"

#include <algorithm>

namespace dampi::scheduler {
namespace {

using namespace std::chrono_literals;

// When the facts are clear, a few confirmations are enough; they only guard against a picture whose parts
// were taken at different moments.
constexpr unsigned rounds_when_clear = 3;
constexpr auto time_when_clear = 20ms;
// A small message goes to the library's buffers, without a receive, as soon as the receiver has made room.
constexpr unsigned rounds_with_sends = 10;
constexpr auto time_with_sends = 100ms;
// When they are not, MPI has had this many more looks on every rank, and this long, to make progress.
constexpr unsigned rounds_when_unclear = 40;
constexpr auto time_when_unclear = 3s;
// A rank inside the library confirms only where the layer can hook the library's progress.
constexpr auto patience_with_library = 2s;

bool live(const RankState& state) { return state.alive && !state.finalized; }

bool may_go_on(const RankState& state) {
    // Of a wait for all it is enough to know some; of a wait for any, all must be known.
    if (!state.blocked || state.waits.empty() || (state.any && state.truncated)) {
        return true;
    }
    const auto satisfied = [](const Wait& wait) { return wait.may_be_satisfied; };
    return state.any ? std::any_of(state.waits.begin(), state.waits.end(), satisfied)
                     : std::all_of(state.waits.begin(), state.waits.end(), satisfied);
}

}  // namespace

bool clearly_stuck(const std::vector<RankState>& states) {
    return std::none_of(states.begin(), states.end(),
                        [](const RankState& state) { return live(state) && may_go_on(state); });
}

Quiescence::Answer Quiescence::look(const std::vector<RankState>& states, Time now) {
    Fingerprint picture;
    bool all_blocked = false;
    bool sends = false;
    for (const RankState& state : states) {
        sends = sends || std::any_of(state.waits.begin(), state.waits.end(),
                                     [](const Wait& wait) { return wait.kind == replay::area::WaitKind::send; });
        if (live(state)) {
            all_blocked = state.blocked && !state.foreign;
            if (!all_blocked) {
                break;
            }
        }
        picture.values.push_back(state.sequence);
        picture.values.push_back(state.transport_events);
        picture.values.push_back(live(state) ? 1 : 0);
    }
    if (!all_blocked) {
        started_ = false;
        return Answer::moving;
    }
    if (!started_ || picture != last_) {
        started_ = true;
        last_ = picture;
        since_ = now;
        round_since_ = now;
        confirmed_ = 0;
        ++round_;
        return Answer::confirm;
    }
    const bool all_confirmed = std::all_of(states.begin(), states.end(), [&](const RankState& state) {
        return !live(state) || state.settled_round == round_ ||
               (state.in_library && now - round_since_ > patience_with_library);
    });
    if (!all_confirmed) {
        return Answer::confirm;
    }
    ++confirmed_;
    const bool clear = clearly_stuck(states);
    const unsigned rounds = sends ? rounds_with_sends : rounds_when_clear;
    const auto time = sends ? time_with_sends : time_when_clear;
    if (clear ? confirmed_ >= rounds && now - since_ >= time
              : confirmed_ >= rounds_when_unclear && now - since_ >= time_when_unclear) {
        return Answer::quiescent;
    }
    ++round_;
    round_since_ = now;
    return Answer::confirm;
}

}  // namespace dampi::scheduler
