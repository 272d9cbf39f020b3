// Whether dampi-run lets a polling call answer "nothing yet", because otherwise nobody could go on
// (RunControl::release_poll()).
#pragma once

#include "piggyback/rank/time/virtual_time.hpp"
#include "transport/board.hpp"

#include <atomic>
#include <cstdint>

namespace dampi::piggyback::distributed {

/// Of one call of a rank: what is told from its beginning on counts, and what earlier calls have left, as long as the
/// rank has done nothing but poll.
class ReleasedPoll {
public:
    explicit ReleasedPoll(const transport::Board& board)
        : release_(board.poll_release.load(std::memory_order_acquire)) {}

    /// To be asked until it says so. (One thread at a time polls.) `timed`: the program has looked at a clock
    /// meanwhile. Since it did not when it was let go for several calls, time passes with each of these, and others
    /// have to come first; so has a timer of its own. (As RankSide::may_go_unasked() of the centralized engine.)
    [[nodiscard]] bool is(const transport::Board& board, bool timed) {
        if (left != 0) [[unlikely]] {
            if (happened == all_that_happened(board) && timed == was_timed && !timer_is_set()) {
                --left;
                return true;
            }
            left = 0;
        }
        if (board.poll_release.load(std::memory_order_acquire) == release_) {
            return false;
        }
        const std::uint32_t calls = board.released_polls.load(std::memory_order_relaxed);
        left = calls == 0 ? 0 : calls - 1;
        happened = all_that_happened(board);
        was_timed = timed;
        return true;
    }

private:
    static std::uint64_t all_that_happened(const transport::Board& board) {
        return board.messages_sent.load(std::memory_order_relaxed) +
               board.messages_received.load(std::memory_order_relaxed) +
               board.synchronisations.load(std::memory_order_relaxed);
    }

    static inline std::uint32_t left = 0;      ///< so many calls may still answer so
    static inline std::uint64_t happened = 0;  ///< when dampi-run said so
    static inline bool was_timed = false;      ///< likewise

    std::uint32_t release_;
};

}  // namespace dampi::piggyback::distributed
