// Decides who is let go on where a run has virtual time and every rank waits, polls in vain or sleeps: who wakes up,
// whose timer goes off, or whose poll answers "nothing yet". Time passes for that rank alone; as much as it sleeps, or,
// where it looks at a clock between its polls, so that a time-out of any length comes soon (replay/answer_in_time.hpp).
// Who comes first is who has then used the least time, as on a machine on which it flows for all. Any order would do:
// what comes of it is decided in all runs that repeat this one, or makes no difference to them.
//
// Says as well when no time-out is to come and nobody goes on. Pure: fed with pictures of the run.
// docs/architecture/time.md has the reasons.
#pragma once

#include "scheduler/engines/release_ramp.hpp"
#include "scheduler/judgement/rank_states.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace dampi::scheduler {

class PassingTime {
public:
    struct Step {
        enum class What {
            nothing,   ///< somebody goes on by himself, or nobody can go on by time
            wake,      ///< let virtual time pass for `rank` until `until`: it wakes up, or a timer of its goes off
            release,   ///< let `calls` polling calls of `rank` answer "nothing yet"
            livelock,  ///< those that poll do so for ever, and nobody else can go on
            doubt,     ///< likewise, as far as can be seen
        };
        What what = What::nothing;
        base::Rank rank = 0;
        transport::VirtualTime until = 0;
        std::uint32_t calls = 1;
        bool on_clocks = false;  ///< virtual time passes with that for somebody who sleeps or looks at his clock
    };

    /// What is to happen now; all live ranks are blocked. Once it is done, ask again when they are so again.
    Step next(const std::vector<RankState>& states);

    /// Until when the rank has been let sleep no longer.
    [[nodiscard]] transport::VirtualTime granted(base::Rank rank) const {
        const auto index = static_cast<std::size_t>(rank);
        return index < ranks_.size() ? ranks_[index].granted : 0;
    }
    /// How long nothing else has happened, for the rank for which that is longest.
    [[nodiscard]] std::chrono::nanoseconds in_vain() const { return std::chrono::nanoseconds(in_vain_); }

private:
    /// What is known of one rank.
    struct Known {
        std::uint64_t traffic = 0;
        bool lives = false;
        transport::VirtualTime granted = 0;
        transport::VirtualTime passed = 0;  ///< when it was looked at last
        transport::VirtualTime clock = 0;   ///< when it was released last
        transport::VirtualTime begin = 0;   ///< `passed` when anything else happened last
        transport::VirtualTime step = 0;    ///< so much passes with its next answer, if it has looked at a clock
        ReleaseRamp ramp;
        std::uint32_t releases_since_look = 0;  ///< at its clock
        bool asked = false;                     ///< it polls, and has been released since it has begun to
        bool looks = false;                     ///< it looks at its clock between its polls
        bool released = false;                  ///< its turn is over; who looks at its clock needs none
    };
    /// Something is sure to happen to a rank then.
    struct Moment {
        base::Rank rank = 0;
        transport::VirtualTime time = 0;
    };

    /// Takes in the picture. Returns whether anything has happened since the latest step but polling and what time
    /// brings.
    bool look(const std::vector<RankState>& states);
    [[nodiscard]] std::optional<Moment> next_waking(const std::vector<RankState>& states) const;
    /// Who looks at its clock and has used the least time once it has been told "nothing yet".
    [[nodiscard]] std::optional<Moment> next_reading(const std::vector<RankState>& states) const;
    [[nodiscard]] bool comes_before(const Moment& waking, const Moment& reading) const;
    /// Whose turn it is of those that look at no clock, or of whom that is not known yet, those first that were
    /// released least often.
    [[nodiscard]] std::optional<base::Rank> next_in_turn(const std::vector<RankState>& states) const;
    Step release(base::Rank rank, const std::vector<RankState>& states);
    /// Those that look at no clock have their turns again.
    void begin_round();
    [[nodiscard]] Step end(const std::vector<RankState>& states) const;

    std::vector<Known> ranks_;
    transport::VirtualTime in_vain_ = 0;
    std::uint32_t readings_ =
        0;  ///< so often ranks that look at their clocks were released since anything has happened
};

}  // namespace dampi::scheduler
