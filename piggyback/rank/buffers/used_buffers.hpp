// The buffers of one call, and whether the call may use them: not where a pending operation receives, nor may it
// receive where one sends or twice into the same memory, nor send and receive the same. Says so in the log, and never
// keeps the program from anything. Also whether what a pending operation sends stays as it is. Which buffers a call has
// says arguments.hpp.
#pragma once

#include "piggyback/rank/buffers/pending.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/layer.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback {

/// What is sent is summed where its bytes do not lie further apart: that takes less than the message.
constexpr std::int64_t largest_summed = 256;

/// Nobody has seen which requests the calls that were missed have completed, and which datatypes they have freed: then
/// false.
[[nodiscard]] inline bool watches_buffers(const Layer& layer) {
    return !layer.misses_calls.load(std::memory_order_relaxed);
}

/// An operation begins and uses the buffer. `may_change`: what it sends.
inline void hold_buffer(Layer& layer, HeldBuffers& held, const BufferUse& use, const char* function, std::uint64_t site,
                        bool may_change) {
    PendingUse& pending = held.add(layer.pending_buffers, use, function, site);
    pending.is_summed =
        use.role == BufferRole::send && !may_change && find_sum(use.region, largest_summed, pending.sum);
}

/// All functions are for the lock of the layer's calls.
class UsedBuffers {
public:
    UsedBuffers() : layer_(*Layer::current()) {}
    UsedBuffers(const UsedBuffers&) = delete;
    UsedBuffers& operator=(const UsedBuffers&) = delete;

    [[nodiscard]] Layer& layer() const { return layer_; }

    /// `count` elements, of which the first begins `offset` bytes behind the buffer. Without data, nothing is used.
    void add(BufferRole role, const void* buffer, MPI_Count count, MPI_Datatype datatype, std::int64_t offset = 0) {
        const Element* element = nullptr;
        if (size_ == 0 && offset == 0 && buffer != MPI_IN_PLACE && watches_buffers(layer_) &&
            (element = layer_.elements.of(datatype)) != nullptr && element->solid) [[likely]] {
            few_[0].role = role;
            size_ = find_solid_region(*element, reinterpret_cast<std::intptr_t>(buffer), count, few_[0].region) ? 1 : 0;
        } else {
            add_any(role, buffer, count, datatype, offset);
        }
    }
    /// The same memory may be read and written: MPI_IN_PLACE.
    void set_in_place() { in_place_ = true; }

    /// The call is about to begin, and over when it returns.
    void begin(const Call& call) {
        if (!is_alone() || layer_.multithreaded) [[unlikely]] {
            check_and_hold(call);
        }
    }
    /// The call is about to begin an operation that will be pending.
    void begin_pending(const Call& call) {
        if (!is_alone()) [[unlikely]] {
            check(call);
        }
        hold(call);
    }
    /// It has begun, and this is its request.
    void keep(MPI_Request handle) {
        if (Request* const request = size_ == 0 ? nullptr : layer_.requests.find_newest(handle)) {
            request->buffers.take(held_);
        }
    }
    /// The call is about to make a persistent request.
    void prepare(const Call& call) { check_itself(call); }
    /// It has made this one.
    void keep_persistent(MPI_Request handle);

private:
    static constexpr std::size_t few = 2;

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const BufferUse& at(std::size_t i) const { return size_ <= few ? few_[i] : many_[i]; }
    /// Whether it surely meets neither another one nor itself: one without gaps, away from all that are pending.
    [[nodiscard]] bool is_alone() const {
        return size_ == 0 || (size_ == 1 && few_[0].region.element == nullptr && !in_place_ &&
                              layer_.pending_buffers.meets_none(few_[0]));
    }
    void add_any(BufferRole role, const void* buffer, MPI_Count count, MPI_Datatype datatype, std::int64_t offset);
    void check(const Call& call);
    void hold(const Call& call);
    void check_and_hold(const Call& call);
    bool check_itself(const Call& call) const;
    void check_pair(const Call& call, const BufferUse& a, const BufferUse& b, bool& found) const;

    Layer& layer_;
    std::size_t size_ = 0;
    BufferUse few_[few];           ///< as long as these are enough
    std::vector<BufferUse> many_;  ///< else all of them
    bool in_place_ = false;
    bool overlaps_ = false;  ///< each other: what is sent may change
    HeldBuffers held_;       ///< of a blocking call for other threads
};

/// A persistent request with buffers is about to be started, or its buffers are about to be used.
void begin_persistent(Layer& layer, const Call& call, const Request& request);
/// It is.
void keep_started(Layer& layer, Request& request);

/// The call completes this operation, the send buffer of which was changed.
void report_changed(Layer& layer, const Call& call, const PendingUse& pending);

/// The call tells the program that the request, as Requests::find() has given it, is complete: what it has sent must be
/// as it was when it began (looks at small buffers only), and its buffers are released. With it all requests that have
/// the same handle: any of them could be the one, and none was known to be complete before.
inline void complete_buffers(Layer& layer, const Call& call, Request& request) {
    request.release_buffers([&](const PendingUse& pending) {
        std::uint64_t now = 0;
        if (pending.is_summed && find_sum(pending.use.region, largest_summed, now) && now != pending.sum) [[unlikely]] {
            report_changed(layer, call, pending);
        }
    });
}

}  // namespace dampi::piggyback
