// The buffers of one call, and whether the call may use them: not where a pending operation receives, nor may it
// receive where one sends or twice into the same memory, nor send and receive the same. Says so in the log, and never
// keeps the program from anything. Also whether what a pending operation sends stays as it is until it is complete, and
// what is where it receives if data comes there only then; small buffers only. With AddressSanitizer, whether a buffer
// is as large as the call says. Which buffers a call has says arguments.hpp.
#pragma once

#include "piggyback/rank/buffers/pending.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/layer.hpp"
#include "piggyback/rank/sanitizers/address_runtime.hpp"
#include "piggyback/rank/sanitizers/thread_runtime.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback {

/// A buffer is watched, by a sum, where its bytes do not lie further apart: that takes less than a message.
constexpr std::int64_t largest_summed = 256;

/// Nobody has seen which requests the calls that were missed have completed, and which datatypes they have freed: then
/// false.
[[nodiscard]] inline bool watches_buffers(const Layer& layer) {
    return !layer.misses_calls.load(std::memory_order_relaxed);
}

/// When the data of an operation comes to where it receives.
enum class Arrival : std::uint8_t {
    at_any_time,    ///< until it is complete
    at_completion,  ///< in the call that tells the program
    in_background,  ///< at any time, also while the program is outside of MPI
};

/// How it is noticed that the program changes a buffer of a pending operation.
enum class Watch : std::uint8_t {
    not_at_all,
    by_sum,         ///< what is there when the operation begins is there when it is complete
    while_outside,  ///< only MPI stores there, in its calls
};

/// For a buffer of this role.
[[nodiscard]] constexpr Watch watch_of(BufferRole role, Arrival arrival) {
    if (role == BufferRole::send || arrival == Arrival::at_completion) {
        return Watch::by_sum;
    }
    return arrival == Arrival::in_background ? Watch::not_at_all : Watch::while_outside;
}

/// An operation begins and uses the buffer.
inline PendingUse& hold_buffer(Layer& layer, HeldBuffers& held, const BufferUse& use, const char* function,
                               std::uint64_t site, Watch watch) {
    PendingUse& pending = held.add(layer.pending_buffers, use, function, site);
    pending.is_the_operations = watch != Watch::not_at_all;
    if (watch == Watch::by_sum) {
        pending.is_summed = find_sum(use.region, largest_summed, pending.sum);
    } else if (watch == Watch::while_outside && use.region.element == nullptr) {
        pending.still = layer.pending_buffers.still().add(use.region.begin, use.region.end);
    }
    if (UseListener* const listener = layer.pending_buffers.listener; listener != nullptr) [[unlikely]] {
        pending.told = listener->begin_use(use, function, site);
    }
    return pending;
}

/// ThreadSanitizer, if the program has it, is told of the operation's buffers, at(0) to at(count - 1).
template <typename At>
[[nodiscard]] sanitizers::Fibers::Token tell_of_buffers(Layer& layer, const char* function, std::uint64_t site,
                                                        std::size_t count, At&& at) {
    return sanitizers::thread_runtime == nullptr || count == 0
               ? sanitizers::Fibers::none
               : layer.pending_buffers.fibers().begin({.function = function, .site = site}, [&](auto&& access) {
                     for (std::size_t i = 0; i < count; ++i) {
                         const BufferUse& use = at(i);
                         access(use.region, use.role == BufferRole::receive);
                     }
                 });
}

/// All functions are for the lock of the layer's calls.
class UsedBuffers {
public:
    /// `lasts`: the operation goes on when the call is over, so that its arrays of arguments matter, too.
    explicit UsedBuffers(Arrival arrival, bool lasts = false)
        : layer_(*Layer::current()), arrival_(arrival), lasts_(lasts) {}
    UsedBuffers(const UsedBuffers&) = delete;
    UsedBuffers& operator=(const UsedBuffers&) = delete;

    [[nodiscard]] Layer& layer() const { return layer_; }

    /// `count` elements, of which the first begins `offset` bytes behind the buffer. Without data, nothing is used.
    void add(BufferRole role, const void* buffer, MPI_Count count, MPI_Datatype datatype, std::int64_t offset = 0) {
        const Element* element = nullptr;
        if (size_ == 0 && offset == 0 && buffer != MPI_IN_PLACE && watches_buffers(layer_) &&
            (element = layer_.elements.of(datatype)) != nullptr && element->solid) [[likely]] {
            Region region;
            if (find_solid_region(*element, reinterpret_cast<std::intptr_t>(buffer), count, region)) {
                few_[0] = {.region = region, .role = role};
                size_ = 1;
            }
        } else {
            add_any(role, buffer, count, datatype, offset);
        }
    }
    /// An array of arguments, which must stay as it is while the operation is pending (MPI-4.0, section 6.12). After
    /// all buffers.
    void add_array(const char* name, const void* array, std::size_t bytes);
    /// The same memory may be read and written: MPI_IN_PLACE.
    void set_in_place() { in_place_ = true; }

    /// The call is about to begin, and over when it returns.
    void begin(const Call& call) {
        if (!is_alone() || layer_.multithreaded || layer_.pending_buffers.listener != nullptr ||
            sanitizers::address_runtime != nullptr || sanitizers::thread_runtime != nullptr) [[unlikely]] {
            check_and_hold(call);
        }
    }
    /// The call is about to begin an operation that will be pending.
    void begin_pending(const Call& call) {
        if (!is_alone() || sanitizers::address_runtime != nullptr) [[unlikely]] {
            check(call);
        }
        if (size_ == 1) [[likely]] {
            const BufferUse use = few_[0];
            hold_buffer(layer_, held_, use, call.function(), call.site(), watch(use.role));
        } else {
            hold_all(call);
        }
        if (sanitizers::thread_runtime != nullptr) [[unlikely]] {
            tell(call);
        }
    }
    /// It has begun, and this is its request.
    void keep(MPI_Request handle) {
        if (Request* const request = size_ == 0 ? nullptr : layer_.requests.find_newest(handle)) {
            request->buffers.take(held_);
            if (arrival_ == Arrival::at_completion) {
                remember(*request);
            }
        }
    }
    /// Likewise, without a request: whoever holds `held` knows when it is over.
    void keep(HeldBuffers& held) {
        if (size_ != 0) {
            held.take(held_);
        }
    }
    /// Only whether they overlap each other: the call makes a persistent request, or is an access to a window.
    void check_alone(const Call& call) const { check_itself(call); }
    /// It has made this persistent request.
    void keep_persistent(const Call& call, MPI_Request handle);

private:
    static constexpr std::size_t few = 2;

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const BufferUse& at(std::size_t i) const { return size_ <= few ? few_[i] : many_[i]; }
    /// Whether it surely meets neither another one nor itself: one without gaps, away from all that are pending.
    [[nodiscard]] bool is_alone() const {
        return size_ == 0 || (size_ == 1 && few_[0].region.element == nullptr && !in_place_ &&
                              layer_.pending_buffers.meets_none(few_[0]));
    }
    [[nodiscard]] Watch watch(BufferRole role) const {
        return overlaps_ ? Watch::not_at_all : watch_of(role, arrival_);
    }
    void append(const BufferUse& use);
    void add_any(BufferRole role, const void* buffer, MPI_Count count, MPI_Datatype datatype, std::int64_t offset);
    void check(const Call& call);
    void hold_all(const Call& call);
    void tell(const Call& call);
    void remember(Request& request) const;
    void check_and_hold(const Call& call);
    bool check_itself(const Call& call) const;
    void check_pair(const Call& call, const BufferUse& a, const BufferUse& b, bool& found) const;

    Layer& layer_;
    Arrival arrival_;
    bool lasts_;
    std::size_t size_ = 0;
    BufferUse few_[few];           ///< as long as these are enough
    std::vector<BufferUse> many_;  ///< else all of them
    bool in_place_ = false;
    bool overlaps_ = false;  ///< each other, or pending ones: what is there may change
    bool is_wrong_ = false;  ///< and that may not be, which has been said
    HeldBuffers held_;       ///< until a request has them, or the call is over
};

/// A persistent request with buffers is about to be started, or its buffers are about to be used. Whether they overlap
/// those of pending operations, which is for keep_started() then.
bool begin_persistent(Layer& layer, const Call& call, const Request& request);
/// It is.
void keep_started(Layer& layer, Request& request, Arrival arrival, bool overlaps);

/// An access to a window is about to begin that uses memory of the rank's own: says if an operation that is pending
/// forbids it, and returns whether. Other accesses to windows are not looked at.
bool check_against_pending(Layer& layer, const Call& call, const BufferUse& use);

/// Data has come where nobody knows what is pending: what is received is no longer watched.
void forget_received(Layer& layer);

/// Of a partitioned receive that MPI has completed: what the program must not use yet is from now on those partitions
/// of which it has not been told that they have arrived (SpecialRequest::ready).
void hold_what_has_not_arrived(Layer& layer, Request& request);

/// The program has changed the byte there of a pending buffer, outside of MPI.
void report_changed(Layer& layer, const Call& call, const PendingUse& pending, std::int64_t address);
/// Of the request with this token; false if there is none.
bool find_changed_request(Layer& layer, const Call& call, StillMemory::Token token, std::int64_t address);
/// The program has entered a call, nothing of which has happened yet: says which of the pending buffers that are
/// watched while it is outside of MPI it has changed. Calls `visit(token, address)` for what else is watched with them.
template <typename Visit>
void find_changed(Layer& layer, const Call& call, Visit&& visit) {
    layer.pending_buffers.still().find_changed([&](StillMemory::Token token, std::int64_t address) {
        if (!layer.multithreaded && !find_changed_request(layer, call, token, address)) {
            visit(token, address);
        }
    });
}
/// It is about to leave the call.
void note_still(Layer& layer);

/// The call completes an operation, whose buffer was changed. `request`: null where the layer does not follow it.
void report_changed(Layer& layer, const Call& call, const Request* request, const PendingUse& pending);
/// The call completes an operation with this buffer: what is watched must be as it was when it began.
inline void check_unchanged(Layer& layer, const Call& call, const Request* request, const PendingUse& pending) {
    std::uint64_t now = 0;
    if (pending.is_summed && find_sum(pending.use.region, largest_summed, now) && now != pending.sum) [[unlikely]] {
        report_changed(layer, call, request, pending);
    }
}

/// The call starts, completes or frees a persistent request: its arrays must be as they were when it was made.
inline void check_arrays(Layer& layer, const Call& call, const Request& request) {
    request.special().arrays.for_each(
        [&](const PendingUse& pending) { check_unchanged(layer, call, &request, pending); });
}

/// The call tells the program that the request, as Requests::find() has given it, is complete: what is watched must be
/// as it was when it began, and its buffers are released. To be called before data is put where it receives. With it
/// all requests that have the same handle: any of them could be the one, and none was known to be complete before.
inline void complete_buffers(Layer& layer, const Call& call, Request& request) {
    check_arrays(layer, call, request);
    request.release_buffers([&](const PendingUse& pending) { check_unchanged(layer, call, &request, pending); });
}

}  // namespace dampi::piggyback
