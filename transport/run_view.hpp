// The seam between dampi-run and the ranks of a run, seen from dampi-run: all that it may know of them while they run
// and when they are over, and the little that it may tell them meanwhile. Terms are those of the run, as in
// rank_port.hpp; what is seen means for deadlocks and matches is the judgement's matter (scheduler). Implementations:
// memory/memory_view.hpp (ranks that share memory with dampi-run), and
// scheduler/engines/central/machine_view.hpp for what the centralized engine knows itself.
//
// Ranks go on while they are looked at, may die at any instruction, and may have overwritten what they had written:
// each value is as it was at some moment, is checked as far as it can be, and says so where it makes no sense. Nothing
// here waits. For one thread at a time.
#pragma once

#include "base/types.hpp"
#include "clocks/clock.hpp"
#include "transport/words.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

namespace dampi::transport {

/// A thread that polls, and how many answers "nothing yet" it has got.
struct PollingThread {
    pid_t id = 0;
    std::uint64_t false_answers = 0;
    std::uint64_t idle_false_answers = 0;  ///< after which it asked again at once
    /// So many polling calls it is proven to repeat in turn, as long as nothing comes for any of them; 0: none.
    std::uint32_t repeats = 0;
};

/// How far a rank has come.
struct RankProgress {
    Phase phase = Phase::absent;
    Activity activity = Activity::computing;
    std::uint32_t settled_round = 0;     ///< the last one that it has answered while it was blocked
    std::uint64_t transport_events = 0;  ///< progress calls that did something, where this can be seen
    std::uint64_t calls = 0;             ///< MPI calls begun
    std::uint64_t traffic = 0;           ///< changes with each message sent or received and each collective entered
    bool mismatch = false;               ///< it has recorded a collective/mismatch
    bool multithreaded = false;          ///< other threads may call MPI while one blocks
    VirtualTime clock = 0;               ///< what the program's clocks have told last, where time is virtual
    VirtualTime passed = 0;              ///< how much of it has passed for the rank
    VirtualTime timer = 0;               ///< when its next timer goes off, likewise; 0: none is set
    std::vector<PollingThread> polling_threads;
    /// Threads that wait in MPI, or belong to the MPI library: they do nothing by themselves.
    std::vector<pid_t> idle_threads;
};

/// What a rank waits for, all at one moment.
struct RankWaits {
    std::uint64_t sequence = 0;  ///< changes whenever the rank enters or leaves a wait
    bool sound = false;          ///< the rest is known; else it was just changing, or makes no sense
    Activity activity = Activity::computing;
    bool any = false;  ///< one of the items is enough
    std::vector<WaitItem> items;
    std::string call;
    std::uint64_t site = 0;
    std::vector<pid_t> idle_threads;  ///< as in RankProgress
};

/// The MPI call that a rank's main thread made last.
struct LastCall {
    std::string name;  ///< empty: none
    std::uint64_t site = 0;
    bool inside = false;  ///< it has not returned
};

/// What a rank has written down of what it was doing in MPI, when it learnt that the run is over.
struct WrittenSituation {
    std::string call;
    std::string arguments;
    std::uint64_t site = 0;
    std::vector<std::uint64_t> frames;  ///< within the calling instructions, innermost first
};

/// What is known of a rank's end beside its records.
struct RankRemains {
    int crash_signal = 0;                    ///< caught in the rank; 0: none
    std::vector<std::uint64_t> crash_stack;  ///< the faulty instruction, then within the calling ones
    std::uint64_t main_function = 0;         ///< of an exit: where the program's main begins; 0: not known
    std::optional<int> exit_status;          ///< that the program gave to exit() or returned from main
    int failing = 0;                         ///< the MPI error whose handler has not come back; 0: none
    std::uint32_t open_sessions = 0;         ///< which alone kept MPI going
    std::uint64_t session_site = 0;          ///< where the first of them was made
    std::uint64_t follow_up = 0;             ///< EpochContext::follow_up of the latest epoch
    /// How often the polling call that was the last one had answered "nothing yet" (0: it did not poll), and its epoch.
    std::uint32_t polling_false_answers = 0;
    std::uint32_t polling_epoch = 0;
    bool log_full = false;  ///< records are missing at the log's end
    struct NotModelled {
        std::string name;
        std::uint64_t count = 0;
        std::uint64_t site = 0;  ///< of the first call; 0: not known
    };
    /// Calls of functions, and uses of features, that passed through without a model.
    std::vector<NotModelled> not_modelled;
};

class RunView {
public:
    RunView() = default;
    virtual ~RunView() = default;
    RunView(const RunView&) = delete;
    RunView& operator=(const RunView&) = delete;

    [[nodiscard]] virtual std::uint32_t processes() const = 0;
    [[nodiscard]] virtual clocks::Protocol protocol() const = 0;

    // ---- what a rank is doing ------------------------------------------------------------------------------------

    [[nodiscard]] virtual Phase phase(base::Rank rank) const = 0;
    [[nodiscard]] virtual RankProgress progress(base::Rank rank) const = 0;
    [[nodiscard]] virtual RankWaits waits(base::Rank rank) const = 0;
    /// Those whom WaitItem::group of this rank names; nothing where that makes no sense. Not for 0.
    [[nodiscard]] virtual std::optional<std::vector<base::Rank>> group(base::Rank owner, Token token) const = 0;
    [[nodiscard]] virtual LastCall last_call(base::Rank rank) const = 0;
    /// Nothing while it has not written it.
    [[nodiscard]] virtual std::optional<WrittenSituation> situation(base::Rank rank) const = 0;
    /// When it came there; nothing if it has not.
    [[nodiscard]] virtual std::optional<std::chrono::steady_clock::time_point> time_of(base::Rank rank,
                                                                                       Moment moment) const = 0;

    // ---- messages, receives and collectives ----------------------------------------------------------------------

    /// All that are sent and not taken, in sending order.
    virtual void for_each_open(base::Rank source, base::Rank destination,
                               const std::function<void(const Envelope&)>& visit) const = 0;
    /// All that a matched probe has taken and whose sender waits for their receive.
    virtual void for_each_held(base::Rank source, base::Rank destination,
                               const std::function<void(const Envelope&)>& visit) const = 0;
    /// The rank's receives that are posted and not known to have matched; nothing if it shows, or has ever shown at
    /// once, more than `most`.
    [[nodiscard]] virtual std::optional<std::vector<PostedReceive>> posted(base::Rank rank,
                                                                           std::uint64_t most) const = 0;
    /// What a rank has published under this name, without marks. False when it makes no sense.
    virtual bool read_clock(ClockName name, clocks::Clock& clock) const = 0;
    /// All that a rank has entered, in the order of its communicators' first collectives.
    [[nodiscard]] virtual std::vector<CollectiveProgress> collectives(base::Rank rank) const = 0;
    /// A rank's part in one collective; nothing if it has not entered that, or if it is kept no longer.
    [[nodiscard]] virtual std::optional<Contribution> contribution(base::Rank rank, base::CommId comm,
                                                                   std::uint64_t sequence) const = 0;

    // ---- what ranks leave ----------------------------------------------------------------------------------------

    [[nodiscard]] virtual LogContent log(base::Rank rank) const = 0;
    [[nodiscard]] virtual RankRemains remains(base::Rank rank) const = 0;
};

/// Likewise of ranks that go on: they can be told something, too.
class RunControl : public RunView {
public:
    /// Asks blocked ranks to confirm that they are: each that is still blocked, after looking again for what has come,
    /// shows the round in RankProgress::settled_round. `epilogue_round`: the run is over, write down what you know.
    virtual void ask(std::uint32_t round) = 0;
    /// Lets a polling call of the rank answer "nothing yet": otherwise nobody could go on. With `calls` above 1 also
    /// those that follow upon it, as long as nothing else happens.
    virtual void release_poll(base::Rank rank, std::uint32_t calls) = 0;
    /// How much virtual time has passed for the rank.
    [[nodiscard]] virtual VirtualTime passed(base::Rank rank) const = 0;
    [[nodiscard]] virtual bool timer_is_set(base::Rank rank) const = 0;
    /// Lets it pass until then: the rank wakes up, or its timers go off.
    virtual void let_pass(base::Rank rank, VirtualTime until) = 0;
};

}  // namespace dampi::transport
