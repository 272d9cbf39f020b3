// The envelopes that travel beside messages: one queue for each ordered pair of ranks, in shared memory.
// The sender appends before it hands the message to MPI, so an envelope is always there when its message
// arrives; the receiver takes the first that fits, which by MPI's non-overtaking rule is the message's own
// as long as receives are resolved in matching order (piggyback/matching.hpp sees to that).
// One writer and one reader per queue, no locks; memory is proportional to the messages not yet received.
#pragma once

#include "clocks/types.hpp"
#include "replay/area/area.hpp"
#include "replay/area/slab.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace dampi::replay::area {

/// An envelope as plain data.
struct Envelope {
    clocks::CommId comm = 0;
    clocks::Tag tag = 0;
    std::uint64_t number = 0;
    std::uint64_t clock = 0;
    std::uint64_t site = 0;
    bool synchronous = false;
};

/// The sender's end of one queue.
class EnvelopeWriter {
public:
    /// Appends and returns the slot, which stays valid until the receiver has taken it.
    EnvelopeSlot& append(const Area& area, Slab& slab, QueueHeader& queue, const Envelope& envelope);

    /// While pinned, slots stay valid after the receiver has taken them, too: for acknowledgements.
    void pin() { ++pins_; }
    void unpin() { --pins_; }

private:
    /// Frees chunks whose messages have all been received although an earlier one is left over; a few looks each.
    void free_behind_left_over(const Area& area, Slab& slab, QueueHeader& queue);
    void add_chunk(const Area& area, Slab& slab, QueueHeader& queue);

    EnvelopeChunk* chunk_ = nullptr;
    std::uint64_t next_ = 0;  ///< index of the next envelope
    unsigned pins_ = 0;
    Offset swept_ = 0;  ///< the chunk behind which free_behind_left_over() looks next; 0: the first
};

/// The receiver's end of one queue.
class EnvelopeReader {
public:
    /// Takes the first envelope not yet taken that has this communicator and fits `tag` (any_tag fits all).
    /// `acknowledged_clock` is for the sender, if it sent synchronously.
    std::optional<Envelope> take(const Area& area, QueueHeader& queue, clocks::CommId comm, clocks::Tag tag,
                                 std::uint64_t acknowledged_clock);

    /// The same without taking it.
    std::optional<Envelope> peek(const Area& area, QueueHeader& queue, clocks::CommId comm, clocks::Tag tag);

private:
    struct Open {
        std::uint64_t index;
        EnvelopeSlot* slot;
    };
    /// Moves the next envelope from the queue to `open_`; false when there is none.
    bool ingest(const Area& area, QueueHeader& queue);
    EnvelopeSlot* find(const Area& area, QueueHeader& queue, clocks::CommId comm, clocks::Tag tag,
                       std::size_t& position);
    void publish_base(QueueHeader& queue);

    EnvelopeChunk* chunk_ = nullptr;
    std::uint64_t next_ = 0;
    std::deque<Open> open_;  ///< ingested and not taken, in sending order
};

/// Calls `visit` for each envelope from `source` to `destination` that was sent and not taken, in sending
/// order. For the outside: checks every offset, stops at the first that makes no sense.
void for_each_open_envelope(const Area& area, clocks::Rank source, clocks::Rank destination,
                            const std::function<void(const Envelope&)>& visit);

}  // namespace dampi::replay::area
