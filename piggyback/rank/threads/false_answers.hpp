// The answers "nothing yet" that a thread of the program gets, as dampi-run sees them: by their number, and by how
// often the thread asks again at once, it tells one that does nothing but poll from one that works and polls now and
// then.
#pragma once

#include "transport/board.hpp"

#include <chrono>
#include <cstdint>

namespace dampi::piggyback {

class Core;

class FalseAnswers {
public:
    /// The thread has come to MPI and waits now for others to leave it, which is no work of its own.
    void come();
    /// The thread polls.
    void ask(Core& core);
    /// Its call answers "nothing yet".
    void answer(Core& core);
    /// So many polling calls the thread is proven to repeat in turn, and to do nothing else (repetition.hpp); 0: that
    /// is not proven. To be taken back when they are not repeated.
    void repeats(Core& core, std::uint32_t calls);
    /// What the thread has done since the latest answer is not nothing.
    void forget() { answered_ = {}; }

private:
    /// Null where there is no room for another thread.
    transport::Board::PollingThread* shown(Core& core);

    transport::Board::PollingThread* shown_ = nullptr;
    std::chrono::steady_clock::time_point came_{};      ///< with its present call, if that had to wait
    std::chrono::steady_clock::time_point answered_{};  ///< the latest call; time_point() if the thread has asked since
};

}  // namespace dampi::piggyback
