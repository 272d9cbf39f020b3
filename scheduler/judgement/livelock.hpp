// Decides when ranks poll for ever: some ranks do nothing but ask again and again (MPI_Test, MPI_Iprobe, ...), all the
// others are blocked and wait for ranks of that sort or for each other, and for a while no message has been sent or
// received and no collective entered. A rank that works between its polls, or looks at the clock with MPI_Wtime, is
// never taken for one, nor one of which another thread works or sleeps: it may do what the polls wait for. Where the
// ranks have proven that they repeat their polling call as long as nothing comes (piggyback/rank/repetition.hpp),
// the livelock is certain; else it cannot be known what the program would do after one more false answer, so `limit` is
// the user's. Where it is known besides what each of them waits for it need not last so long. Pure: fed with pictures
// of the run.
#pragma once

#include "scheduler/judgement/rank_states.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace dampi::scheduler {

inline constexpr std::chrono::milliseconds default_livelock_limit{3000};

class Livelock {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// `certain`: so long nothing may happen where all that poll are proven to repeat their calls, if false answers
    /// tell that nothing is there. Not above `limit`.
    explicit Livelock(std::chrono::milliseconds limit, std::optional<std::chrono::milliseconds> certain = {})
        : limit_(limit), limit_of_certain_(certain.value_or(limit)) {}

    /// Give each picture of the run in turn. Whether the run is in a livelock. `others_sleep` is asked only where
    /// nothing else speaks against it.
    bool look(const std::vector<RankState>& states, const OthersSleep& others_sleep, Time now);

    /// What the ranks have polled for so far may come yet: only what they do from now on counts.
    void begin_anew() { begin_.clear(); }

    /// After look() was true, by rank: those that poll.
    [[nodiscard]] const std::vector<bool>& polling() const { return polling_; }
    /// Likewise: all of them are proven to go on polling for ever. Not where a rank is in a mismatched collective.
    [[nodiscard]] bool certain() const { return certain_; }
    /// Since when nothing but polling has happened.
    [[nodiscard]] Time since() const { return since_; }

private:
    [[nodiscard]] bool something_has_happened(const std::vector<RankState>& states) const;
    /// Whether no other thread of the ranks that poll can do anything.
    bool other_threads_sleep(const std::vector<RankState>& states, bool early, const OthersSleep& others_sleep,
                             Time now);

    std::chrono::milliseconds limit_;
    std::chrono::milliseconds limit_of_certain_;
    std::vector<RankState> begin_;  ///< the first picture since something else has happened
    std::vector<std::uint64_t> sequences_;
    std::vector<Time> still_since_;  ///< by rank: when it was first seen in the wait that it is in
    Time since_;
    std::vector<bool> polling_;
    bool certain_ = false;
    Time asked_;                             ///< OthersSleep, last
    std::optional<std::uint64_t> sleeping_;  ///< of the ranks that poll, at the latest look: what OthersSleep said
};

}  // namespace dampi::scheduler
