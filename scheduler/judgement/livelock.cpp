#include "scheduler/judgement/livelock.hpp"

#include "base/hash.hpp"
#include "scheduler/judgement/stuck_ranks.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace dampi::scheduler {
namespace {

/// Fewer are no reason to believe that they will not stop.
constexpr std::uint64_t least_false_answers = 1000;
/// Other threads are not asked about more often: reading them takes time.
constexpr std::chrono::milliseconds between_questions{20};
/// Of the false answers, so many percent are to be followed by the next question at once.
constexpr std::uint64_t least_idle_percent = 90;

/// Those of its threads that have done nothing else since `before`, and had so many false answers.
std::vector<pid_t> only_polling(const RankState& before, const RankState& state,
                                std::uint64_t least = least_false_answers) {
    std::vector<pid_t> threads;
    for (std::size_t i = 0; i < state.polling_threads.size(); ++i) {
        const transport::PollingThread& now = state.polling_threads[i];
        const transport::PollingThread then =
            i < before.polling_threads.size() ? before.polling_threads[i] : transport::PollingThread{};
        const std::uint64_t answers = now.false_answers - then.false_answers;
        const std::uint64_t idle = now.idle_false_answers - then.idle_false_answers;
        if (answers >= least && idle * 100 >= answers * least_idle_percent) {
            threads.push_back(now.id);
        }
    }
    return threads;
}

/// So many polling calls in turn; 0: that is not proven.
std::uint32_t repeats(const RankState& state) {
    return state.polling_threads.size() == 1 ? state.polling_threads.front().repeats : 0;
}

/// Its thread that is proven to repeat its polling calls: has done nothing else since `before`. If it repeats only one
/// it may stand in that, for nothing can come for another one.
std::vector<pid_t> repeating(const RankState& before, const RankState& state) {
    constexpr std::uint64_t some_false_answers = 10;
    constexpr std::uint64_t some_rounds = 3;
    const std::uint64_t calls = repeats(state);
    if (calls == 0) {
        return {};
    }
    return calls == 1 && state.blocked && state.polls
               ? std::vector{state.polling_threads.front().id}
               : only_polling(before, state, std::max(some_false_answers, some_rounds * calls));
}

/// Those that poll and do nothing else; `early`: as far as that is proven.
std::vector<pid_t> polling_threads(const RankState& before, const RankState& state, bool early) {
    return early ? repeating(before, state) : only_polling(before, state);
}

}  // namespace

bool Livelock::something_has_happened(const std::vector<RankState>& states) const {
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (begin_.size() != states.size() || live(states[rank]) != live(begin_[rank]) ||
            states[rank].traffic != begin_[rank].traffic) {
            return true;
        }
    }
    return false;
}

bool Livelock::other_threads_sleep(const std::vector<RankState>& states, bool early, const OthersSleep& others_sleep,
                                   Time now) {
    if (now - asked_ < between_questions) {
        return false;
    }
    asked_ = now;
    base::Hash all(0);
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (!polling_[rank]) {
            continue;
        }
        if (states[rank].in_library) {
            return false;  // one of its threads is in a call that may end by itself
        }
        std::vector<pid_t> known = polling_threads(begin_[rank], states[rank], early);
        known.insert(known.end(), states[rank].idle_threads.begin(), states[rank].idle_threads.end());
        const auto number = others_sleep(known);
        if (!number) {
            sleeping_.reset();
            return false;
        }
        all.add(*number);
    }
    // They are read one after the other: only what is the same twice was so at one time.
    return std::exchange(sleeping_, all.value()) == all.value();
}

bool Livelock::look(const std::vector<RankState>& states, const OthersSleep& others_sleep, Time now) {
    sequences_.resize(states.size(), 0);
    still_since_.resize(states.size(), now);
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (states[rank].sequence != sequences_[rank]) {
            sequences_[rank] = states[rank].sequence;
            still_since_[rank] = now;
        }
    }
    if (something_has_happened(states)) {
        begin_ = states;
        since_ = now;
        return false;
    }
    const bool early = now - since_ < limit_;
    const std::chrono::milliseconds limit = early ? limit_of_certain_ : limit_;
    if (now - since_ < limit) {
        return false;
    }
    std::vector<RankState> assumed = states;
    polling_.assign(states.size(), false);
    certain_ = true;
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (live(states[rank]) && !polling_threads(begin_[rank], states[rank], early).empty()) {
            polling_[rank] = true;
            certain_ = certain_ && repeats(states[rank]) != 0;
            assumed[rank] = without_way_out();
        } else if (live(states[rank]) && now - still_since_[rank] < limit) {
            return false;
        } else if (states[rank].mismatch) {
            certain_ = false;  // nobody knows what its collective needs; the run is wrong in any case
            assumed[rank] = without_way_out();
        }
    }
    const std::vector<bool> stuck = stuck_ranks(assumed, Polling::goes_on);
    for (std::size_t rank = 0; rank < states.size(); ++rank) {
        if (live(states[rank]) && !stuck[rank]) {
            return false;
        }
    }
    return std::find(polling_.begin(), polling_.end(), true) != polling_.end() && (certain_ || !early) &&
           other_threads_sleep(states, early, others_sleep, now);
}

}  // namespace dampi::scheduler
