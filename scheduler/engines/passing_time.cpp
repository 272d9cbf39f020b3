#include "scheduler/engines/passing_time.hpp"

#include "replay/answer_in_time.hpp"
#include "scheduler/judgement/stuck_ranks.hpp"

#include <algorithm>

namespace dampi::scheduler {
namespace {

using base::Rank;
using transport::VirtualTime;

constexpr VirtualTime shortest_step = replay::time_of_false_answer(0);
constexpr VirtualTime longest_step = replay::time_of_false_answer(64);
/// Who is proven to repeat its calls was so when it began to; what it looks at besides (memory that ranks share, a
/// file) may be another thing since. So it has come back from so many answers while everybody else stood still.
constexpr std::uint32_t answers_before_livelock = 3;
/// Nobody waits for longer than a day in so many parts.
constexpr std::uint32_t enough_readings = 1000;
/// Who polls and looks at the clock may need several polls for it.
constexpr std::uint32_t most_releases_without_look = 64;

bool polls(const RankState& state) { return live(state) && state.polls; }

/// What a poll is to answer that only waits to be released is decided, and may not be what it would answer by itself.
bool is_decided(const RankState& state) {
    return std::any_of(state.waits.begin(), state.waits.end(),
                       [](const Wait& wait) { return wait.kind == transport::WaitKind::time; });
}

/// Of several calls in turn it shows only the one that is being made: what can come for the others is not to be seen.
bool repeats(const RankState& state) {
    return !is_decided(state) && state.polling_threads.size() == 1 && state.polling_threads.front().repeats == 1;
}

}  // namespace

bool PassingTime::look(const std::vector<RankState>& states) {
    bool happened = ranks_.size() != states.size();
    ranks_.resize(states.size());
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        const RankState& state = states[rank];
        Known& known = ranks_[rank];
        if (known.traffic != state.traffic || known.step == 0) {
            known.step = shortest_step;
        } else if (state.passed > known.passed && polls(state)) {
            known.step = std::clamp(2 * (state.passed - known.passed), shortest_step, longest_step);
        }
        happened = happened || known.traffic != state.traffic || known.lives != live(state);
        known.traffic = state.traffic;
        known.lives = live(state);
        known.passed = state.passed;
        known.asked = known.asked && polls(state);
        if (known.asked && state.clock != known.clock) {
            known.looks = true;
            known.releases_since_look = 0;
        } else if (known.releases_since_look >= most_releases_without_look) {
            known.looks = false;
        }
    }
    return happened;
}

std::optional<PassingTime::Moment> PassingTime::next_waking(const std::vector<RankState>& states) const {
    std::optional<Moment> first;
    const auto consider = [&](std::size_t rank, VirtualTime time) {
        if (!first || time < first->time) {
            first = Moment{.rank = static_cast<Rank>(rank), .time = time};
        }
    };
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        const RankState& state = states[rank];
        if (live(state) && state.sleeps_until) {
            consider(rank, *state.sleeps_until);
        }
        if (live(state) && state.timer != 0) {
            consider(rank, state.timer);
        }
    }
    return first;
}

std::optional<PassingTime::Moment> PassingTime::next_reading(const std::vector<RankState>& states) const {
    std::optional<Moment> first;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        const VirtualTime time = ranks_[rank].passed + ranks_[rank].step;
        if (polls(states[rank]) && ranks_[rank].looks && (!first || time < first->time)) {
            first = Moment{.rank = static_cast<Rank>(rank), .time = time};
        }
    }
    return first;
}

std::optional<Rank> PassingTime::next_in_turn(const std::vector<RankState>& states) const {
    std::optional<std::size_t> chosen;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (polls(states[rank]) && !ranks_[rank].released &&
            (!chosen || ranks_[rank].ramp.releases() < ranks_[*chosen].ramp.releases())) {
            chosen = rank;
        }
    }
    return chosen ? std::optional(static_cast<Rank>(*chosen)) : std::nullopt;
}

PassingTime::Step PassingTime::release(Rank rank, const std::vector<RankState>& states) {
    Known& known = ranks_[static_cast<std::size_t>(rank)];
    known.clock = states[static_cast<std::size_t>(rank)].clock;
    known.asked = true;
    known.released = true;
    ++known.releases_since_look;
    return {.what = Step::What::release, .rank = rank, .calls = known.ramp.release(known.looks)};
}

void PassingTime::begin_round() {
    for (Known& known : ranks_) {
        known.released = known.looks;
    }
}

/// No time-out is known to be to come.
PassingTime::Step PassingTime::end(const std::vector<RankState>& states) const {
    const std::vector<bool> stuck = stuck_ranks(states, Polling::waits);
    bool certain = true;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (live(states[rank]) && !stuck[rank]) {
            return {};
        }
        certain = certain && (!polls(states[rank]) ||
                              (repeats(states[rank]) && ranks_[rank].ramp.releases() >= answers_before_livelock));
    }
    if (certain) {
        return {.what = Step::What::livelock};
    }
    return readings_ >= enough_readings && in_vain_ >= longest_step ? Step{.what = Step::What::doubt} : Step{};
}

/// Whoever polls could have given up at any time until its next look at the clock; so the sleep is over before that if
/// it ends in the first half of this time.
bool PassingTime::comes_before(const Moment& waking, const Moment& reading) const {
    const Known& reader = ranks_[static_cast<std::size_t>(reading.rank)];
    return waking.time < reader.passed + reader.step / 2;
}

PassingTime::Step PassingTime::next(const std::vector<RankState>& states) {
    if (look(states)) {
        for (std::size_t rank = 0; rank < states.size(); ++rank) {
            Known& known = ranks_[rank];
            known.ramp.begin_anew(known.looks);
            known.begin = states[rank].passed;
        }
        begin_round();
        in_vain_ = 0;
        readings_ = 0;
    }
    bool anybody_polls = false;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        const RankState& state = states[rank];
        in_vain_ = std::max(in_vain_, state.passed - std::min(state.passed, ranks_[rank].begin));
        anybody_polls = anybody_polls || polls(state);
        if (live(state) &&
            ((state.sleeps_until && *state.sleeps_until <= ranks_[rank].granted) || state.timer_is_due)) {
            return {};  // it goes on
        }
    }
    const std::optional<Moment> waking = next_waking(states);
    if (!waking && !anybody_polls) {
        return {};
    }
    if (!waking) {
        if (const Step over = end(states); over.what != Step::What::nothing) {
            return over;
        }
    }
    if (const auto rank = next_in_turn(states)) {
        return release(*rank, states);
    }
    const std::optional<Moment> reading = next_reading(states);
    if (waking && (!reading || comes_before(*waking, *reading))) {
        begin_round();
        ranks_[static_cast<std::size_t>(waking->rank)].granted = waking->time;
        return {.what = Step::What::wake, .rank = waking->rank, .until = waking->time, .on_clocks = true};
    }
    if (!reading) {
        begin_round();  // what they wait for is no time
        return release(*next_in_turn(states), states);
    }
    ++readings_;
    begin_round();
    Step step = release(reading->rank, states);
    step.on_clocks = true;
    return step;
}

}  // namespace dampi::scheduler
