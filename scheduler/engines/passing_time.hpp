// Decides how virtual time passes, where a run has it: only when every rank waits, polls in vain or sleeps, and then to
// where the next of them wakes up, or the next timer goes off. Where ranks poll and look at their clocks a time-out may
// be to come that nobody sees: then time passes in steps, each twice as long as the one before as long as nothing else
// happens, so that one of five seconds takes a dozen of them. Between two steps each rank that polls may answer
// "nothing yet" once. What comes of it depends on nothing but what the ranks do, so it is the same in each run.
//
// Says as well when no time-out is to come and nobody goes on. Pure: fed with pictures of the run.
// docs/architecture/time.md has the reasons.
#pragma once

#include "scheduler/judgement/rank_states.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace dampi::scheduler {

class PassingTime {
public:
    struct Step {
        enum class What {
            nothing,   ///< somebody goes on by himself, or nobody can go on by time
            pass,      ///< let virtual time pass until now()
            release,   ///< let `calls` polling calls of `rank` answer "nothing yet"
            livelock,  ///< those that poll do so for ever, and nobody else can go on
            doubt,     ///< likewise, as far as can be seen
        };
        What what = What::nothing;
        base::Rank rank = 0;
        std::uint32_t calls = 1;
    };

    /// What is to happen now; all live ranks are blocked. Once it is done, ask again when they are so again.
    Step next(const std::vector<RankState>& states);

    [[nodiscard]] transport::VirtualTime now() const { return now_; }
    /// How long nothing else has happened.
    [[nodiscard]] std::chrono::nanoseconds in_vain() const { return std::chrono::nanoseconds(now_ - happened_at_); }

private:
    /// Whether anything has happened since the latest step but polling and what time brings.
    bool something_has_happened(const std::vector<RankState>& states);
    Step release(const std::vector<RankState>& states);
    [[nodiscard]] Step end(const std::vector<RankState>& states) const;
    /// Whether one that polls has still to be told what time it is now.
    bool awaits_reading(const std::vector<RankState>& states);

    transport::VirtualTime now_ = 0;
    transport::VirtualTime step_ = 0;
    std::vector<std::uint64_t> traffic_;          ///< by rank; and who lives
    std::vector<transport::VirtualTime> clocks_;  ///< by rank, when time has passed last
    std::vector<std::uint32_t> releases_;         ///< by rank, since something has happened
    std::vector<bool> released_;                  ///< by rank, since time has passed last or all have been
    std::vector<bool> reads_;                     ///< by rank: it looks at its clock between its polls
    std::uint32_t rounds_ = 0;                    ///< so often all have been released since time has passed last
    transport::VirtualTime happened_at_ = 0;      ///< since when nothing has
    std::uint32_t passed_ = 0;                    ///< so often has time passed since then, in steps
};

}  // namespace dampi::scheduler
