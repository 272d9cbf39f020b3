// What a rank does while it is blocked: it looks again and again whether it may go on, yields its core
// after a few fruitless looks, and then tells dampi-run what it waits for. Used by every blocking body.
#pragma once

#include "piggyback/call.hpp"
#include "piggyback/layer.hpp"
#include "piggyback/matching/matching.hpp"
#include "replay/area/layout.hpp"

#include <vector>

namespace dampi::piggyback {

/// Collects what a blocked call waits for, for BlockedState.
class WaitDescription {
public:
    void add(const replay::area::WaitItem& item) { items_.push_back(item); }
    /// What a request of the program still needs; nothing for one that is inactive or has completed. `forced`: a
    /// decision makes the call wait for this one.
    void add(const Request& request, bool forced = false);
    /// One of the items is enough.
    void any() { any_ = true; }
    /// The call may answer "nothing yet".
    void polls() {
        add({.kind = replay::area::WaitKind::poll,
             .forced = 0,
             .peer = clocks::any_source,
             .tag = 0,
             .comm = 0,
             .number = 0});
    }

    [[nodiscard]] const std::vector<replay::area::WaitItem>& items() const { return items_; }
    [[nodiscard]] bool one_is_enough() const { return any_; }

private:
    std::vector<replay::area::WaitItem> items_;
    bool any_ = false;
};

/// One blocking operation. `describe` is called with a WaitDescription when the wait turns out to be long.
template <typename Describe>
class Waiting {
public:
    Waiting(Layer& layer, const Call& call, Describe describe)
        : layer_(layer), call_(call), describe_(std::move(describe)) {}
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    /// Call after each fruitless look. Does not return when dampi-run has ended the run.
    void pause() {
        notice_matches(layer_);
        if (++looks_ >= layer_.spins) {
            long_pause();
        }
    }

private:
    void long_pause();
    WaitDescription described() {
        WaitDescription description;
        describe_(description);
        return description;
    }

    Layer& layer_;
    const Call& call_;
    Describe describe_;
    unsigned looks_ = 0;
    unsigned looks_in_round_ = 0;
    unsigned idle_looks_ = 0;
    std::uint64_t transport_events_ = 0;
    std::uint32_t round_ = 0;
    bool published_ = false;
};

/// Marks the rank as being inside a call of the MPI library that may block, for as long as it lives.
class BlockedInLibrary {
public:
    BlockedInLibrary(Layer& layer, const Call& call, const replay::area::WaitItem& item);
    ~BlockedInLibrary();
    BlockedInLibrary(const BlockedInLibrary&) = delete;
    BlockedInLibrary& operator=(const BlockedInLibrary&) = delete;

private:
    Layer& layer_;
};

/// Calls `function`, which may block inside the MPI library waiting for nobody knows whom. Returns what it returns.
template <typename Function>
int blocked_in_library(const Call& call, Function&& function) {
    const BlockedInLibrary blocked(*Layer::current(), call,
                                   {.kind = replay::area::WaitKind::other,
                                    .forced = 0,
                                    .peer = clocks::any_source,
                                    .tag = 0,
                                    .comm = 0,
                                    .number = 0});
    return Call::unlocked(function);
}

// ---- implementation ------------------------------------------------------------------------------------

namespace waiting_detail {
/// Looks that a blocked rank makes in each settle round before it confirms that it is blocked.
inline constexpr unsigned looks_per_round = 30;

void publish(Layer& layer, const Call& call, const WaitDescription& waits, replay::area::Activity activity);
/// The same if it differs from what is published.
void publish_change(Layer& layer, const Call& call, const WaitDescription& waits);
/// Whether `waiting`, of this thread, is to say what the rank waits for: nothing else of another thread's says so, and
/// of this thread's only one around it.
bool may_publish(Layer& layer, const void* waiting, bool published);
/// If it is this one that has said so.
void unpublish(Layer& layer, const void* waiting);
/// Gives the core away, letting other threads of the program into the layer.
void yield(Layer& layer);
/// The same for a wait that goes on: sleeps for a while that grows with the number of looks in which not even
/// the transport has moved. Ranks that compute, and other runs, then have the cores for themselves.
void rest(Layer& layer, unsigned idle_looks);
/// dampi-run has decided that this run is over: writes down what is still unknown and waits for the end.
[[noreturn]] void epilogue(Layer& layer);
}  // namespace waiting_detail

template <typename Describe>
Waiting<Describe>::~Waiting() {
    waiting_detail::unpublish(layer_, this);
}

template <typename Describe>
void Waiting<Describe>::long_pause() {
    using namespace waiting_detail;
    auto& header = layer_.header();
    if (may_publish(layer_, this, published_)) {
        published_ = true;
        publish(layer_, call_, described(), replay::area::Activity::blocked);
    }
    const std::uint32_t round = layer_.area.header().settle_round.load(std::memory_order_acquire);
    if (round != header.settled_round.load(std::memory_order_relaxed)) {
        if (round == replay::area::epilogue_round) {
            epilogue(layer_);
        }
        if (layer_.shows_blocked != this) {
            // another thread of the program answers
        } else if (round != round_) {
            round_ = round;
            looks_in_round_ = 0;
            resolve_completed(layer_);  // whose message is whose is then to be seen from outside
            publish_change(layer_, call_, described());
        } else if (++looks_in_round_ > looks_per_round) {
            header.settled_round.store(round, std::memory_order_release);
        }
        yield(layer_);  // dampi-run waits for the answer
        return;
    }
    const std::uint64_t events = header.transport_events.load(std::memory_order_relaxed);
    idle_looks_ = events == transport_events_ ? idle_looks_ + 1 : 0;
    transport_events_ = events;
    rest(layer_, idle_looks_);
}

}  // namespace dampi::piggyback
