// Decides when a run can make no step any more. From facts: every live rank is blocked in MPI, has confirmed
// so after looking again for progress, nothing has changed meanwhile, and nothing that they wait for is there
// or can come. Where the facts leave a doubt (a message that fits is on its way, but may belong to another
// receive) it asks for many more confirmations over a longer time. Pure: fed with pictures, no clock, no MPI.
//
// Where some of the ranks poll, a run in which nothing else can move is not stuck: one of them is released, that is,
// its call may answer "nothing yet". That needs much less certainty than a deadlock, since any answer is allowed.
#pragma once

#include "scheduler/supervision/rank_states.hpp"

#include <chrono>
#include <cstdint>
#include <vector>

namespace dampi::scheduler {

class Quiescence {
public:
    using Time = std::chrono::steady_clock::time_point;

    enum class Answer {
        moving,     ///< somebody may make a step
        confirm,    ///< ask the ranks to confirm the round that round() names, then come again
        release,    ///< let the polling call of rank released() answer "nothing yet", then come again
        quiescent,  ///< nothing can move any more
    };

    /// Give each picture of the run in turn.
    Answer look(const std::vector<RankState>& states, Time now);

    /// The settle round that the ranks are to confirm.
    [[nodiscard]] std::uint32_t round() const { return round_; }

    /// After Answer::release: of the ranks that poll, the first of those released least often since anything but
    /// polling has happened, so that all take turns.
    [[nodiscard]] clocks::Rank released() const { return released_; }

private:
    struct Fingerprint {
        std::vector<std::uint64_t> values;
        bool operator==(const Fingerprint&) const = default;
    };

    void choose_released(const std::vector<RankState>& states);

    std::uint32_t round_ = 0;
    unsigned confirmed_ = 0;
    bool started_ = false;
    Time since_;
    Time round_since_;
    Fingerprint last_;
    Fingerprint when_released_;  ///< without what polling itself changes
    std::vector<unsigned> releases_;
    clocks::Rank released_ = 0;
};

/// Whether every live rank is blocked and, in this picture, certainly lacks something that it needs. (A wait
/// for all lacks one of its items, a wait for any all of them.) Then nobody can provide it either.
bool clearly_stuck(const std::vector<RankState>& states);

}  // namespace dampi::scheduler
