// Decides when a rank has not come back to MPI for longer than the user allows: it computes, sleeps, waits for
// something else, or is in an MPI call whose needs are not known. A rank that is known to be blocked in MPI is never
// taken for one (quiescence.hpp), however long. What counts is the time that the rank has had for it: that a busy
// machine lets it wait says nothing about the rank. One that a signal has stopped does not go on by itself, though
// somebody may let it: for so long as it has been seen so, without a break. Pure: fed with pictures of the run.
#pragma once

#include "launch/observe/processor_time.hpp"
#include "scheduler/judgement/rank_states.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace dampi::scheduler {

/// Of the rank's process, now. Reading it takes some microseconds.
using ProcessorTimeOf = std::function<launch::ProcessorTime(base::Rank)>;

class Hang {
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit Hang(std::chrono::milliseconds limit) : limit_(limit) {}

    [[nodiscard]] std::chrono::milliseconds limit() const { return limit_; }

    /// Give each picture of the run in turn. By rank: whose process exists and has made no MPI call, nor come to an
    /// end of one, for longer than the limit; empty if there is none. As long as others may follow that are away since
    /// hardly later, the first ones are waited with, up to twice the limit.
    std::vector<bool> look(const std::vector<RankState>& states, const ProcessorTimeOf& processor_time, Time now);

    /// By rank: of those that the latest look has named, who is stopped by a signal.
    [[nodiscard]] std::vector<bool> stopped() const;

    /// Whether at the latest look a rank had been away for longer, but not had the time, or was waited with: it may
    /// become one.
    [[nodiscard]] bool suspects() const { return suspects_; }

private:
    struct Measured {
        Time at;
        launch::ProcessorTime processor;
    };
    struct LastSeen {
        std::uint64_t activity = 0;
        Time since;
        std::optional<Measured> begin;         ///< soon behind `since`: most ranks are not away for so long
        Time looked{};                         ///< at its process, after that
        launch::ProcessorTime processor = {};  ///< as it was then
        bool is_stopped = false;               ///< it was then
        std::chrono::nanoseconds stopped{0};   ///< it has been for so long
    };

    static void look_whether_stopped(LastSeen& last, const launch::ProcessorTime& processor, Time now);

    std::chrono::milliseconds limit_;
    std::vector<LastSeen> last_;
    bool suspects_ = false;
};

}  // namespace dampi::scheduler
