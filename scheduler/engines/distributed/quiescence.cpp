#include "scheduler/engines/distributed/quiescence.hpp"

#include "scheduler/judgement/stuck_ranks.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dampi::scheduler {
namespace {

using namespace std::chrono_literals;
using transport::WaitKind;

struct Needed {
    unsigned rounds;
    std::chrono::milliseconds time;
};

// When the facts are clear, a few confirmations are enough; they only guard against a picture whose parts
// were taken at different moments.
constexpr Needed when_clear{3, 10ms};
// A small message goes to the library's buffers, without a receive, as soon as the receiver has made room.
constexpr Needed with_buffered_sends{10, 100ms};
// When they are not, MPI has had this many more looks on every rank, and this long, to make progress.
constexpr Needed when_unclear{40, 3s};
// After a collective/mismatch or a death the run is wrong in any case: this only ends it.
constexpr Needed after_fault{10, 100ms};
// A polling call may be released at any time: this only keeps it from answering "nothing yet" needlessly.
constexpr Needed to_release{1, 0ms};
constexpr Needed to_release_with_sends{3, 5ms};
constexpr Needed to_release_when_unclear{10, 30ms};
// A rank inside the library confirms only where the layer can hook the library's progress.
constexpr auto patience_with_library = 2s;

bool confirms(const RankState& state) { return !state.in_library || state.transport_events != 0; }

/// What is another number as soon as the rank is not blocked in the same wait any more, or MPI has brought it anything.
std::pair<std::uint64_t, std::uint64_t> blocked_as(const RankState& state) {
    return {state.sequence, state.transport_events};
}

/// Of all ranks, by rank.
std::vector<std::uint64_t> traffic_of(const std::vector<RankState>& states) {
    std::vector<std::uint64_t> traffic;
    std::transform(states.begin(), states.end(), std::back_inserter(traffic),
                   [](const RankState& state) { return state.traffic; });
    return traffic;
}

bool may_get_a_buffer(const RankState& state) {
    return std::any_of(state.waits.begin(), state.waits.end(),
                       [](const Wait& wait) { return wait.kind == WaitKind::send && !wait.synchronous; });
}

}  // namespace

void Quiescence::ask(Stillness& stillness, Time now) {
    stillness.asked = ++round_;
    stillness.asked_at = now;
}

void Quiescence::watch(Stillness& stillness, Picture picture, const std::vector<RankState>& states,
                       const std::vector<bool>& members, Time now) {
    if (!stillness.watched || picture != stillness.picture) {
        stillness = {.watched = true, .picture = std::move(picture), .since = now};
        ask(stillness, now);
        return;
    }
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        const RankState& state = states[rank];
        if (members[rank] && state.settled_round < stillness.asked &&
            (confirms(state) || now - stillness.asked_at <= patience_with_library)) {
            return;
        }
    }
    ++stillness.confirmed;
    ask(stillness, now);
}

bool Quiescence::confirm_deadlock(const std::vector<RankState>& states, const std::vector<bool>& stuck, Time now) {
    Picture picture;
    bool buffered_sends = false;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        buffered_sends = buffered_sends || (stuck[rank] && may_get_a_buffer(states[rank]));
    }
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        picture.push_back(stuck[rank] ? states[rank].sequence + 1 : 0);
        picture.push_back(stuck[rank] ? states[rank].other_threads : 0);
        if (stuck[rank] && buffered_sends) {
            picture.push_back(states[rank].transport_events);
        }
    }
    if (decided_ && some_.watched && picture == some_.picture) {
        return true;
    }
    decided_ = false;
    watch(some_, std::move(picture), states, stuck, now);
    const Needed needed = buffered_sends ? with_buffered_sends : when_clear;
    if (some_.confirmed < needed.rounds || now - some_.since < needed.time) {
        return false;
    }
    decided_ = true;
    stuck_ = stuck;
    stuck_since_ = some_.since;
    return true;
}

Quiescence::Answer Quiescence::look(const std::vector<RankState>& states, bool death, Time now) {
    const std::vector<bool> stuck = stuck_ranks(states, Polling::goes_on);
    const bool some = std::find(stuck.begin(), stuck.end(), true) != stuck.end();
    bool deadlock = false;
    if (some) {
        deadlock = confirm_deadlock(states, stuck, now);
    } else {
        some_.watched = false;
    }
    if (some && !deadlock) {
        return Answer::confirm;  // one question at a time
    }
    bool all = true;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        all = all && (stuck[rank] || !live(states[rank]));
    }
    if (deadlock && all) {
        return Answer::quiescent;
    }
    const Answer answer = look_at_all(states, death, now);
    if (answer == Answer::quiescent || answer == Answer::release) {
        return answer;
    }
    return deadlock ? Answer::deadlock : answer;
}

Quiescence::Answer Quiescence::look_at_all(const std::vector<RankState>& states, bool death, Time now) {
    Picture picture;
    std::vector<bool> members;
    bool polls = false;
    bool sends = false;
    bool mismatch = false;
    for (const RankState& state : states) {
        members.push_back(live(state));
        if (live(state) && (!state.blocked || state.foreign)) {
            all_.watched = false;
            return Answer::moving;
        }
        polls = polls || (live(state) && (state.polls || state.sleeps_until || state.timer != 0));
        sends = sends || may_get_a_buffer(state);
        mismatch = mismatch || state.mismatch;
        picture.push_back(state.sequence);
        picture.push_back(state.other_threads);
        picture.push_back(state.transport_events);
        picture.push_back(live(state) ? 1 : 0);
    }
    if (std::find(members.begin(), members.end(), true) == members.end()) {
        all_.watched = false;
        return Answer::moving;
    }
    watch(all_, std::move(picture), states, polls ? still_to_confirm(states) : members, now);
    const auto settled = [&](const Needed& needed) {
        return all_.confirmed >= needed.rounds && now - all_.since >= needed.time;
    };
    if (polls) {
        const bool clear = stuck_ranks(states, Polling::waits) == members;
        if (settled(!clear ? to_release_when_unclear : sends ? to_release_with_sends : to_release)) {
            choose_released(states);
            note_confirmed(states);
            all_.watched = false;
            return Answer::release;
        }
        return Answer::confirm;
    }
    if (settled(mismatch || death ? after_fault : when_unclear)) {
        stuck_ = std::move(members);
        stuck_since_ = all_.since;
        return Answer::quiescent;
    }
    return Answer::confirm;
}

/// What polls has to be told that it may answer "nothing yet" again and again: then the others, to which nobody has
/// sent anything meanwhile, need not confirm each time what they have confirmed before. Whose timer is due must: it
/// goes off before the rank confirms.
std::vector<bool> Quiescence::still_to_confirm(const std::vector<RankState>& states) const {
    const bool traffic = traffic_of(states) != confirmed_traffic_;
    std::vector<bool> ranks;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        const RankState& state = states[rank];
        ranks.push_back(live(state) &&
                        (traffic || state.polls || state.timer_is_due || blocked_as(state) != confirmed_[rank]));
    }
    return ranks;
}

void Quiescence::note_confirmed(const std::vector<RankState>& states) {
    confirmed_traffic_ = traffic_of(states);
    confirmed_.clear();
    std::transform(states.begin(), states.end(), std::back_inserter(confirmed_), blocked_as);
}

void Quiescence::choose_released(const std::vector<RankState>& states) {
    Picture picture;
    for (const RankState& state : states) {
        picture.push_back(state.polls ? 0 : state.sequence);
        picture.push_back(state.transport_events);
        picture.push_back(live(state) ? 1 : 0);
    }
    if (picture != when_released_) {
        when_released_ = std::move(picture);
        ramps_.resize(states.size());
        for (ReleaseRamp& ramp : ramps_) {
            ramp.begin_anew(false);
        }
    }
    bool found = false;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (live(states[rank]) && states[rank].polls &&
            (!found || ramps_[rank].releases() < ramps_[static_cast<std::size_t>(released_)].releases())) {
            found = true;
            released_ = static_cast<base::Rank>(rank);
        }
    }
    released_calls_ = ramps_[static_cast<std::size_t>(released_)].release(false);
}

}  // namespace dampi::scheduler
