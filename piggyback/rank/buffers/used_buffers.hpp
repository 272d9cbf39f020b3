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

/// All functions are for the lock of the layer's calls.
class UsedBuffers {
public:
    UsedBuffers() : layer_(*Layer::current()) {}
    UsedBuffers(const UsedBuffers&) = delete;
    UsedBuffers& operator=(const UsedBuffers&) = delete;

    [[nodiscard]] Layer& layer() const { return layer_; }

    /// `count` elements, of which the first begins `offset` bytes behind the buffer. Without data, nothing is used.
    void add(BufferRole role, const void* buffer, MPI_Count count, MPI_Datatype datatype, std::int64_t offset = 0);
    /// The same memory may be read and written: MPI_IN_PLACE.
    void set_in_place() { in_place_ = true; }

    /// The call is about to begin, and over when it returns.
    void begin(const Call& call);
    /// The call is about to begin an operation that will be pending.
    void begin_pending(const Call& call);
    /// It has begun, and this is its request.
    void keep(const Call& call, MPI_Request handle);
    /// The call is about to make a persistent request.
    void prepare(const Call& call) { check_itself(call); }
    /// It has made this one.
    void keep_persistent(MPI_Request handle);

private:
    static constexpr std::size_t few = 2;

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const BufferUse& at(std::size_t i) const { return size_ <= few ? few_[i] : many_[i]; }
    bool check_itself(const Call& call) const;
    void check_pair(const Call& call, const BufferUse& a, const BufferUse& b, bool& found) const;

    Layer& layer_;
    std::size_t size_ = 0;
    BufferUse few_[few];           ///< as long as these are enough
    std::vector<BufferUse> many_;  ///< else all of them
    bool in_place_ = false;
    bool overlaps_ = false;  ///< each other: what is sent may change
    HeldBuffers held_;       ///< while the call lasts, for other threads
};

/// A persistent request with buffers is about to be started, or its buffers are about to be used.
void begin_persistent(Layer& layer, const Call& call, const Request& request);
/// It is.
void keep_started(Layer& layer, Request& request);

/// The call tells the program that the request, as Requests::find() has given it, is complete: what it has sent must be
/// as it was when it began (looks at small buffers only), and its buffers are released. With it all requests that have
/// the same handle: any of them could be the one, and none was known to be complete before.
void complete_buffers(Layer& layer, const Call& call, Request& request);

}  // namespace dampi::piggyback
