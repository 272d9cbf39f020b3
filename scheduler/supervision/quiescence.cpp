#include "scheduler/supervision/quiescence.hpp"

#include <algorithm>
#include <utility>

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
// A polling call may be released at any time: this only keeps it from answering "nothing yet" needlessly.
constexpr unsigned rounds_to_release = 1;
constexpr unsigned rounds_to_release_with_sends = 3;
constexpr auto time_to_release_with_sends = 5ms;
constexpr unsigned rounds_to_release_when_unclear = 10;
constexpr auto time_to_release_when_unclear = 30ms;
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

void Quiescence::choose_released(const std::vector<RankState>& states) {
    Fingerprint picture;
    for (const RankState& state : states) {
        picture.values.push_back(state.polls ? 0 : state.sequence);
        picture.values.push_back(state.transport_events);
        picture.values.push_back(live(state) ? 1 : 0);
    }
    if (picture != when_released_) {
        when_released_ = std::move(picture);
        releases_.assign(states.size(), 0);
    }
    bool found = false;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (live(states[rank]) && states[rank].polls &&
            (!found || releases_[rank] < releases_[static_cast<std::size_t>(released_)])) {
            found = true;
            released_ = static_cast<clocks::Rank>(rank);
        }
    }
    ++releases_[static_cast<std::size_t>(released_)];
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
    if (std::any_of(states.begin(), states.end(), [](const RankState& state) { return live(state) && state.polls; })) {
        const bool release =
            !clear  ? confirmed_ >= rounds_to_release_when_unclear && now - since_ >= time_to_release_when_unclear
            : sends ? confirmed_ >= rounds_to_release_with_sends && now - since_ >= time_to_release_with_sends
                    : confirmed_ >= rounds_to_release;
        if (release) {
            choose_released(states);
            started_ = false;
            return Answer::release;
        }
        ++round_;
        round_since_ = now;
        return Answer::confirm;
    }
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
