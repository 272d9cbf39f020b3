// What a rank does while it is blocked: it looks again and again whether it may go on, yields its core
// after a few fruitless looks, and then tells dampi-run what it waits for. Used by every blocking body. With a patched
// MPI library one that waits for MPI alone sleeps between its looks until something arrives.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/meanwhile.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/distributed/thread_state.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/library_values.hpp"
#include "piggyback/rank/time/virtual_time.hpp"
#include "transport/board.hpp"

#include <span>
#include <vector>

namespace dampi::piggyback::distributed {

/// Collects what a blocked call waits for, for transport::Board::Blocked.
class WaitDescription {
public:
    void add(const transport::WaitItem& item) { items_.push_back(item); }
    /// What a request of the program still needs; nothing for one that is inactive or has completed. `forced`: a
    /// decision makes the call wait for this one.
    void add(const Request& request, bool forced = false);
    /// What of a message that has been matched has not come yet: nobody else need do anything for it.
    void add_coming_data() { add({.kind = transport::WaitKind::other}); }
    /// One of the items is enough.
    void any() { any_ = true; }
    /// The call may answer "nothing yet".
    void polls() { add({.kind = transport::WaitKind::poll}); }

    [[nodiscard]] const std::vector<transport::WaitItem>& items() const { return items_; }
    [[nodiscard]] bool one_is_enough() const { return any_; }

private:
    std::vector<transport::WaitItem> items_;
    bool any_ = false;
};

/// A wait of the calling thread, as far as dampi-run is to know of it. A rank shows the waits of all its threads, so
/// that of several the one that may go on first counts. Of nested waits of a thread the innermost is shown.
class ThreadWait {
public:
    ThreadWait(const ThreadWait&) = delete;
    ThreadWait& operator=(const ThreadWait&) = delete;
    /// It is not shown any more.
    virtual ~ThreadWait() {
        if (shown()) {
            hide();
        }
    }
    virtual void describe(WaitDescription& description) const = 0;

    [[nodiscard]] const Call& call() const { return call_; }
    [[nodiscard]] transport::Activity activity() const { return activity_; }

protected:
    ThreadWait(DistributedLayer& layer, const Call& call, transport::Activity activity)
        : layer_(layer), call_(call), activity_(activity) {}

    /// Shows it, unless it is, or one inside it.
    void show();
    /// Whether it is the one that is shown of this thread.
    [[nodiscard]] bool shown() const { return thread_state_if_any() != nullptr && thread_state().wait == this; }
    /// Shows what has changed.
    void show_change();
    /// This thread has answered the settle round.
    void settle(std::uint32_t round);

    DistributedLayer& layer_;

private:
    void hide();

    const Call& call_;
    transport::Activity activity_;
    bool was_shown_ = false;
};

/// What can end a wait.
enum class Ends : std::uint8_t {
    by_anything,  ///< also what another rank does, or another thread
    by_mpi,       ///< only what the MPI library's progress brings
};

namespace waiting_detail {
/// Sleeps for a short time, or until something arrives, which need not be what is waited for. Whether it has.
bool sleep_until_message();
}  // namespace waiting_detail

/// One blocking operation. `describe` is called with a WaitDescription when the wait turns out to be long.
template <typename Describe>
class Waiting : private ThreadWait {
public:
    Waiting(DistributedLayer& layer, const Call& call, Describe describe, Ends ends = Ends::by_anything)
        : ThreadWait(layer, call, transport::Activity::blocked),
          describe_(std::move(describe)),
          sleeps_(ends == Ends::by_mpi && library_is_patched() && !layer.calls_at_once) {}

    /// Call after each fruitless look. Does not return when dampi-run has ended the run.
    void pause() {
        notice_matches(layer_);
        if (sleeps_ && looks_ < layer_.spins && !waiting_detail::sleep_until_message()) {
            looks_ = layer_.spins;
        }
        if (++looks_ >= layer_.spins) {
            long_pause();
        }
    }

    /// The wait will be long: it is shown at the first fruitless look.
    void is_long() { looks_ = layer_.spins; }

private:
    void long_pause();
    void describe(WaitDescription& description) const override { describe_(description); }

    Describe describe_;
    const bool sleeps_;
    unsigned looks_ = 0;
    unsigned looks_in_round_ = 0;
    unsigned idle_looks_ = 0;
    std::uint64_t transport_events_ = 0;
    std::uint32_t round_ = 0;
};

/// Marks the rank as being inside a call of the MPI library that may block, for as long as it lives.
class BlockedInLibrary : private ThreadWait {
public:
    BlockedInLibrary(DistributedLayer& layer, const Call& call, const transport::WaitItem& item)
        : ThreadWait(layer, call, transport::Activity::blocked_in_library), item_(item), items_(&item_, 1) {
        show();
    }
    /// It waits for all of `items`, which live as long as this does.
    BlockedInLibrary(DistributedLayer& layer, const Call& call, std::span<const transport::WaitItem> items)
        : ThreadWait(layer, call, transport::Activity::blocked_in_library), items_(items) {
        show();
    }

private:
    void describe(WaitDescription& description) const override {
        for (const transport::WaitItem& item : items_) {
            description.add(item);
        }
    }

    const transport::WaitItem item_ = {.kind = transport::WaitKind::other};
    const std::span<const transport::WaitItem> items_;
};

/// Calls `function`, which may block inside the MPI library waiting for nobody knows whom. Returns what it returns.
template <typename Function>
int blocked_in_library(const Call& call, Function&& function) {
    const BlockedInLibrary blocked(*DistributedLayer::current(), call, {.kind = transport::WaitKind::other});
    return Call::unlocked(function);
}

// ---- implementation ------------------------------------------------------------------------------------

namespace waiting_detail {
/// Looks that a blocked rank makes in each settle round before it confirms that it is blocked.
inline constexpr unsigned looks_per_round = 30;
/// After so many of them it gives its core away: who has the next turn may keep it for milliseconds.
inline constexpr unsigned looks_per_turn = 8;
/// After so many of them one that only MPI can end sleeps for a moment instead. On a crowded machine a rank that gives
/// its core away waits for all others, even for a message that is just coming; one that sleeps is woken by that.
inline constexpr unsigned looks_per_nap = 16;

/// Gives the core away, letting other threads of the program into the layer.
void yield(DistributedLayer& layer);
/// Gives the core away in a wait that goes on: sleeps for a while that grows with the number of looks in which not even
/// the transport has moved. Ranks that compute, and other runs, then have the cores for themselves.
void rest(DistributedLayer& layer, unsigned idle_looks);
/// Sleeps in a wait that only MPI can end, until something arrives, but not for long, since dampi-run asks. Whether
/// something has arrived.
bool rest_until_message(unsigned idle_looks);
/// dampi-run has decided that this run is over: writes down what is still unknown and waits for the end.
[[noreturn]] void epilogue(DistributedLayer& layer);
}  // namespace waiting_detail

template <typename Describe>
void Waiting<Describe>::long_pause() {
    using namespace waiting_detail;
    const auto& header = layer_.board();
    let_timers_go_off(layer_.port.granted());
    show();
    note_library_events(layer_);
    const std::uint32_t round = layer_.port.settle_round();
    if (round != header.settled_round.load(std::memory_order_relaxed)) {
        if (round == transport::epilogue_round) {
            epilogue(layer_);
        }
        if (!shown()) {
            // a wait inside this one answers
        } else if (round != round_) {
            round_ = round;
            looks_in_round_ = 0;
            meanwhile.resolve_completed(layer_);  // whose message is whose is then to be seen from outside
            show_change();
        } else if (++looks_in_round_ > looks_per_round) {
            settle(round);
            idle_looks_ = 0;  // the next question comes soon
        }
        if (sleeps_ && looks_in_round_ % looks_per_nap == 0) {
            rest_until_message(0);
        } else if (!sleeps_ && looks_in_round_ % looks_per_turn == 0) {
            yield(layer_);
        }
        return;  // dampi-run waits for the answer
    }
    if (sleeps_) {
        idle_looks_ = rest_until_message(idle_looks_) ? 0 : idle_looks_ + 1;
        return;
    }
    const std::uint64_t events = header.transport_events.load(std::memory_order_relaxed);
    idle_looks_ = events == transport_events_ ? idle_looks_ + 1 : 0;
    transport_events_ = events;
    rest(layer_, idle_looks_);
}

}  // namespace dampi::piggyback::distributed
