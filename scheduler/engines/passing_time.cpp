#include "scheduler/engines/passing_time.hpp"

#include "scheduler/judgement/stuck_ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace dampi::scheduler {
namespace {

using transport::VirtualTime;

constexpr VirtualTime shortest_step = 1'000'000;  // a millisecond, in nanoseconds
constexpr VirtualTime longest_step = 86'400 * VirtualTime{1'000'000'000};
/// Who has been told "nothing yet" so often while nothing else has happened counts them, if he stops at all: then he is
/// told so many times at once.
constexpr std::uint32_t single_releases = 64;
constexpr std::uint32_t releases_per_doubling = 4;
constexpr std::uint32_t most_calls = 1U << 16;
/// Nobody waits for longer than a day in so many parts.
constexpr std::uint32_t enough_steps = 1000;

/// Who polls and looks at the clock may need several polls for it.
constexpr std::uint32_t most_rounds = 64;
/// Readings are a microsecond apart.
constexpr VirtualTime before_waking = 10'000;

bool polls(const RankState& state) { return live(state) && state.polls; }

/// What a poll is to answer that only waits to be released is decided, and may not be what it would answer by itself.
bool is_decided(const RankState& state) {
    return std::any_of(state.waits.begin(), state.waits.end(),
                       [](const Wait& wait) { return wait.kind == transport::WaitKind::time; });
}

bool repeats(const RankState& state) {
    return !is_decided(state) && state.polling_threads.size() == 1 && state.polling_threads.front().repeats;
}

}  // namespace

bool PassingTime::something_has_happened(const std::vector<RankState>& states) {
    std::vector<std::uint64_t> traffic;
    for (const RankState& state : states) {
        traffic.push_back(state.traffic);
        traffic.push_back(live(state) ? 1 : 0);
    }
    const bool same = traffic == traffic_;
    traffic_ = std::move(traffic);
    return !same;
}

PassingTime::Step PassingTime::release(const std::vector<RankState>& states) {
    std::optional<std::size_t> chosen;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (polls(states[rank]) && !released_[rank] && (!chosen || releases_[rank] < releases_[*chosen])) {
            chosen = rank;
        }
    }
    if (!chosen) {
        return {};
    }
    const std::uint32_t before = releases_[*chosen]++;
    released_[*chosen] = true;
    const std::uint32_t doublings =
        before < single_releases ? 0 : std::min<std::uint32_t>(16, (before - single_releases) / releases_per_doubling);
    return {.what = Step::What::release,
            .rank = static_cast<base::Rank>(*chosen),
            .calls = std::min(most_calls, 1U << doublings)};
}

bool PassingTime::awaits_reading(const std::vector<RankState>& states) {
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (polls(states[rank]) && states[rank].clock != clocks_[rank]) {
            reads_[rank] = true;
        } else if (rounds_ >= most_rounds) {
            reads_[rank] = false;
        }
    }
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (reads_[rank] && polls(states[rank]) && states[rank].clock == clocks_[rank]) {
            return true;
        }
    }
    return false;
}

/// No time-out is known to be to come.
PassingTime::Step PassingTime::end(const std::vector<RankState>& states) const {
    const std::vector<bool> stuck = stuck_ranks(states, Polling::waits);
    bool certain = true;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (live(states[rank]) && !stuck[rank]) {
            return {};
        }
        certain = certain && (!polls(states[rank]) || repeats(states[rank]));
    }
    if (certain) {
        return {.what = Step::What::livelock};
    }
    return passed_ >= enough_steps && now_ - happened_at_ >= longest_step ? Step{.what = Step::What::doubt} : Step{};
}

PassingTime::Step PassingTime::next(const std::vector<RankState>& states) {
    if (something_has_happened(states)) {
        step_ = shortest_step;
        releases_.assign(states.size(), 0);
        released_.assign(states.size(), false);
        happened_at_ = now_;
        passed_ = 0;
        clocks_.resize(states.size(), 0);
        reads_.resize(states.size(), false);
        rounds_ = 0;
    }
    std::optional<VirtualTime> awaited;  // the next moment at which somebody is sure to go on
    bool anybody_polls = false;
    bool reads = false;
    VirtualTime latest = now_;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        const RankState& state = states[rank];
        if (!live(state)) {
            continue;
        }
        if (state.sleeps_until && *state.sleeps_until <= now_) {
            return {};  // it wakes up
        }
        if (state.sleeps_until && (!awaited || *state.sleeps_until < *awaited)) {
            awaited = state.sleeps_until;
        }
        if (state.timer > now_ && (!awaited || state.timer < *awaited)) {
            awaited = state.timer;
        }
        if (polls(state)) {
            anybody_polls = true;
            if (state.clock != clocks_[rank]) {
                reads = true;
                latest = std::max(latest, state.clock);
            }
        }
    }
    if (!awaited && !anybody_polls) {
        return {};
    }
    if (!awaited) {
        if (const Step over = end(states); over.what != Step::What::nothing) {
            return over;
        }
    }
    if (const Step one = release(states); one.what != Step::What::nothing) {
        return one;
    }
    released_.assign(states.size(), false);
    if (awaits_reading(states) || (!awaited && !reads)) {
        ++rounds_;
        return release(states);  // the others see what time it is first; or what they wait for is no time
    }
    rounds_ = 0;
    if (!reads) {
        now_ = *awaited;
    } else {
        now_ = latest + step_;
        step_ = std::min(2 * step_, longest_step);
        ++passed_;
        if (awaited && now_ >= *awaited) {
            // Time-outs before that come first: just before it everybody looks at the clock once more.
            const VirtualTime just_before = *awaited - std::min(*awaited, before_waking);
            now_ = latest < just_before ? just_before : *awaited;
        }
    }
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        clocks_[rank] = states[rank].clock;
    }
    return {.what = Step::What::pass};
}

}  // namespace dampi::scheduler
