// Decides when ranks can make no step any more, from facts. Pure: fed with pictures of the run, no clock, no MPI.
//
// Some ranks are in a deadlock when stuck_ranks() says so and they confirm it: each has looked again for progress after
// the question, several times, and nothing about them has changed. What other ranks do is of no importance.
//
// Where the facts leave a doubt (a message that fits is on its way, but may belong to another receive; a call whose
// needs are not known) nothing is concluded before every live rank is blocked, and then only after many more
// confirmations over a longer time. After a death fewer are enough: of what is in doubt no deadlock is claimed then,
// the run only ends.
//
// Where some of the ranks poll, a run in which nothing else can move is not stuck: one of them is released, that is,
// its call may answer "nothing yet". That needs much less certainty than a deadlock, since any answer is allowed. So it
// is where ranks sleep in virtual time, or set timers of it: that may pass.
#pragma once

#include "scheduler/engines/release_ramp.hpp"
#include "scheduler/judgement/rank_states.hpp"

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

namespace dampi::scheduler {

class Quiescence {
public:
    using Time = std::chrono::steady_clock::time_point;

    enum class Answer {
        moving,     ///< somebody may make a step
        confirm,    ///< ask the ranks to confirm the round that round() names, then come again
        release,    ///< let the polling call of rank released() answer "nothing yet", or time pass; then come again
        deadlock,   ///< the ranks stuck() can never go on; others may
        quiescent,  ///< no live rank can go on: all of them are stuck()
    };

    /// Give each picture of the run in turn. `death`: a rank has died by then.
    Answer look(const std::vector<RankState>& states, bool death, Time now);

    /// The settle round that the ranks are to confirm, also while the answer is `deadlock`.
    [[nodiscard]] std::uint32_t round() const { return round_; }

    /// After Answer::release: of the ranks that poll, the first of those released least often since anything but
    /// polling has happened, so that all take turns.
    [[nodiscard]] base::Rank released() const { return released_; }
    /// Likewise: for how many calls.
    [[nodiscard]] std::uint32_t released_calls() const { return released_calls_; }

    /// After Answer::deadlock and Answer::quiescent: by rank.
    [[nodiscard]] const std::vector<bool>& stuck() const { return stuck_; }
    /// Since when nothing about them has changed.
    [[nodiscard]] Time stuck_since() const { return stuck_since_; }

private:
    using Picture = std::vector<std::uint64_t>;

    /// A set of ranks about which nothing changes, and how often all of them have confirmed that they are blocked.
    struct Stillness {
        bool watched = false;
        Picture picture;
        Time since;
        Time asked_at;
        std::uint32_t asked = 0;  ///< the round that is to be confirmed
        unsigned confirmed = 0;
    };

    /// Counts the confirmations of these ranks; starts anew when the picture is another.
    void watch(Stillness& stillness, Picture picture, const std::vector<RankState>& states,
               const std::vector<bool>& members, Time now);
    void ask(Stillness& stillness, Time now);
    bool confirm_deadlock(const std::vector<RankState>& states, const std::vector<bool>& stuck, Time now);
    Answer look_at_all(const std::vector<RankState>& states, bool death, Time now);
    void choose_released(const std::vector<RankState>& states);
    [[nodiscard]] std::vector<bool> still_to_confirm(const std::vector<RankState>& states) const;
    void note_confirmed(const std::vector<RankState>& states);

    std::uint32_t round_ = 0;
    Stillness some_;        ///< those that are stuck by the facts
    Stillness all_;         ///< all live ranks
    bool decided_ = false;  ///< that those in `some_` are in a deadlock
    std::vector<bool> stuck_;
    Time stuck_since_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> confirmed_;  ///< by rank, before the latest release
    Picture confirmed_traffic_;                                       ///< likewise
    Picture when_released_;                                           ///< without what polling itself changes
    std::vector<ReleaseRamp> ramps_;
    base::Rank released_ = 0;
    std::uint32_t released_calls_ = 1;
};

}  // namespace dampi::scheduler
