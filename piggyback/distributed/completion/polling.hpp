// Polling calls may answer "nothing yet", and a program makes them again, or others in turn, until one answers
// otherwise. All that follow one another are one epoch, a stretch: it ends with another answer, or is given up when the
// program makes any other call of MPI. How often its calls have answered, and which, is not written down: only its
// different calls are, once each.
//
// Nobody can tell when the program would have been told "nothing yet", so a call that nothing is decided for does what
// shows most of the program: it waits. It says "nothing yet" when another call of the stretch could answer, when
// dampi-run lets it because nobody else can go on, or when it has lasted long enough. In a guided run the calls answer
// "nothing yet" as often as is decided, and until it is the turn of the one that is to answer; that one waits for what
// is decided, whatever the number of rounds. If the program looks at a clock meanwhile, their number is nobody's
// matter.
#pragma once

#include "piggyback/distributed/completion/released_poll.hpp"
#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/thread_state.hpp"
#include "piggyback/rank/call.hpp"

#include <chrono>
#include <cstdint>

namespace dampi::piggyback::distributed {

/// What the call is to the open stretch.
enum class PollingTurn {
    first,    ///< there is none, or it has too many calls: the caller opens an epoch (post_choice(),
              ///< post_polling_probe()) and calls begin_polling()
    another,  ///< none of its calls is like this: the caller calls add_poll() for it
    again,
};
PollingTurn continues_polling(DistributedLayer& layer, const Call& call, const PollingKey& key);
void begin_polling(Poll poll, const Choice& choice);

enum class PollingAnswer {
    nothing_yet,  ///< decided (and done): answer "nothing yet"
    decided,      ///< wait for what is decided
    free,         ///< wait for anything, as long as Patience lasts
};

/// What the next call of the stretch is to answer.
PollingAnswer next_answer(DistributedLayer& layer, const Call& call);

/// How long a call of the stretch waits before it answers "nothing yet".
class Patience {
public:
    /// `decided`: the answer is, and waits only for dampi-run to release it.
    explicit Patience(DistributedLayer& layer, bool decided = false);
    [[nodiscard]] bool over();

private:
    DistributedLayer& layer_;
    bool decided_;
    ReleasedPoll released_;
    std::uint32_t looks_ = 0;
    std::uint32_t least_looks_ = 0;
    std::chrono::microseconds patience_{0};
    std::chrono::steady_clock::time_point begin_;
};

/// Whether the decided "nothing yet" came when nobody else could go on, and a timer of the program's is set, which may
/// have gone off before: so it waits for being released, as in the run that the decision is from.
[[nodiscard]] bool waits_for_timer(const DistributedLayer& layer);

/// The call answers "nothing yet".
void answer_nothing_yet(DistributedLayer& layer);

/// Whether a call of the stretch other than the current one could answer something else, so that it is to have its turn
/// and this one answers "nothing yet".
bool another_could_answer(DistributedLayer& layer);

/// The call answers something else, which ends the stretch `index`; returns it. Null where that is over already.
PollingStretch* end_polling(DistributedLayer& layer, std::uint32_t index);
/// After end_polling(), when it is recorded what the current call has answered: messages can be late for the other
/// calls, too. `match`: null after that of a probe.
void note_unanswered(DistributedLayer& layer, const PollingStretch& polling, const clocks::Match* match);

/// The program turns to something else: ends this open stretch.
void give_up_polling(DistributedLayer& layer, const Call& call, PollingStretch& polling);

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
