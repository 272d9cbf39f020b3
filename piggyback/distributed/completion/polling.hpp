// Polling calls may answer "nothing yet", and a program repeats them until they answer otherwise. A sequence of equal
// calls is one epoch: it ends with another answer, or is given up when the program makes any other call.
//
// Nobody can tell when the program would have been told "nothing yet", so a call that nothing is decided for does what
// shows most of the program: it waits. It says "nothing yet" when dampi-run lets it because nobody else can go on, or
// when it has lasted long enough. In a guided run the call answers "nothing yet" as often as is decided, and then waits
// for what is decided.
#pragma once

#include "piggyback/distributed/completion/released_poll.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/thread_state.hpp"
#include "piggyback/rank/call.hpp"

#include <chrono>
#include <cstdint>

namespace dampi::piggyback::distributed {

/// Whether the call continues the open sequence. If not, that one is given up, and the caller opens an epoch
/// (post_choice(), post_polling_probe()) and calls begin_polling().
bool continues_polling(DistributedLayer& layer, const Call& call, const PollingKey& key);
void begin_polling(PollingKey key, const Choice& choice);

enum class PollingAnswer {
    nothing_yet,  ///< decided (and done): answer "nothing yet"
    decided,      ///< wait for what is decided
    free,         ///< wait for anything, as long as Patience lasts
};

/// What the next call of the sequence is to answer.
PollingAnswer next_answer(DistributedLayer& layer, const Call& call);

/// How long a call of the sequence waits before it answers "nothing yet".
class Patience {
public:
    explicit Patience(DistributedLayer& layer);
    [[nodiscard]] bool over();

private:
    DistributedLayer& layer_;
    ReleasedPoll released_;
    std::uint32_t looks_ = 0;
    std::uint32_t least_looks_ = 0;
    std::chrono::microseconds patience_{0};
    std::chrono::steady_clock::time_point end_;
};

/// The call answers "nothing yet".
void answer_nothing_yet(DistributedLayer& layer);

/// The call answers something else, which ends the sequence `index`; returns it. Null where that is over already.
PollingSequence* end_polling(DistributedLayer& layer, std::uint32_t index);

/// The program turns to something else: ends this open sequence.
void give_up_polling(DistributedLayer& layer, const Call& call, PollingSequence& polling);

/// Likewise that of the calling thread, if one is open.
inline void end_open_polling(const Call& call) {
    ThreadState* const state = thread_state_if_any();
    if (state != nullptr && state->polling.open) [[unlikely]] {
        if (DistributedLayer& layer = *DistributedLayer::current(); layer.active()) {
            give_up_polling(layer, call, state->polling);
        }
    }
}

}  // namespace dampi::piggyback::distributed
