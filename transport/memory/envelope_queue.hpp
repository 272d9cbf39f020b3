// The envelopes that travel beside messages: one queue for each ordered pair of ranks, in shared memory.
// The sender appends before it hands the message to MPI, so an envelope is always there when its message
// arrives; the receiver takes the first that fits, which by MPI's non-overtaking rule is the message's own
// as long as receives are resolved in matching order (piggyback/distributed/matching sees to that).
// One writer and one reader per queue, no locks; memory is proportional to the messages not yet received.
#pragma once

#include "base/types.hpp"
#include "transport/memory/area.hpp"
#include "transport/memory/slab.hpp"

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace dampi::transport::memory {

/// The sender's end of one queue.
class EnvelopeWriter {
public:
    /// Appends and returns the slot, which stays valid until the receiver has taken it.
    EnvelopeSlot& append(const Area& area, Slab& slab, QueueHeader& queue, const Envelope& envelope);

    /// Notes that the sender has asked MPI to cancel the message at this position, if nobody has taken it.
    static void note_cancelled(const Area& area, QueueHeader& queue, std::uint64_t position);

    /// While pinned, slots stay valid after the receiver has taken them, too: for acknowledgements.
    void pin() { ++pins_; }
    void unpin() { --pins_; }

    /// The position in the queue of the envelope appended last.
    [[nodiscard]] std::uint64_t last_position() const { return next_ - 1; }

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
    /// The first envelope not yet taken that has this communicator and fits `tag` (any_tag fits all).
    std::optional<Envelope> peek(const Area& area, QueueHeader& queue, base::CommId comm, base::Tag tag);

    /// The envelope at this position of the queue (EnvelopeWriter::last_position()), if it is not yet taken.
    std::optional<Envelope> peek_at(const Area& area, QueueHeader& queue, std::uint64_t position);

    /// The position of the envelope that the last call was peek() and has found.
    [[nodiscard]] std::uint64_t found_position() const { return open_[found_].index; }

    /// Takes the envelope that the last call was peek() or peek_at() and has found. `acknowledgement` is for the
    /// sender, if it sent synchronously.
    void take_found(QueueHeader& queue, const Acknowledgement& acknowledgement);
    /// Takes it for a matched probe, where the sender waits for the receive: release() tells it that this has begun.
    EnvelopeSlot& hold_found(QueueHeader& queue);
    static void release(EnvelopeSlot& held, const Acknowledgement& acknowledgement);

    /// The first envelope not yet taken that has this communicator and a number of at least `from`.
    std::optional<Envelope> first_open(const Area& area, QueueHeader& queue, base::CommId comm, std::uint64_t from);

private:
    struct Open {
        std::uint64_t index;
        EnvelopeChunk* chunk;
    };
    [[nodiscard]] static EnvelopeSlot& slot_of(const Open& open);
    [[nodiscard]] static Envelope read(const Open& open);
    /// Moves the next envelope from the queue to `open_`; false when there is none.
    bool ingest(const Area& area, QueueHeader& queue);
    /// Whether there is an open envelope that `fits(slot)`; the first comes to stand at `found_`.
    template <typename Fits>
    bool find(const Area& area, QueueHeader& queue, Fits&& fits);
    void publish_base(QueueHeader& queue);

    EnvelopeChunk* chunk_ = nullptr;
    std::uint64_t next_ = 0;
    void remove_found(QueueHeader& queue);

    std::deque<Open> open_;  ///< ingested and not taken, in sending order
    std::size_t found_ = 0;  ///< position in open_
};

/// Calls `visit` for each envelope from `source` to `destination` that was sent and not taken, in sending
/// order. For the outside: checks every offset, stops at the first that makes no sense.
void for_each_open_envelope(const Area& area, base::Rank source, base::Rank destination,
                            const std::function<void(const Envelope&)>& visit);
/// Calls `visit` for those that a matched probe has taken, and whose sender waits for their receive.
void for_each_held_envelope(const Area& area, base::Rank source, base::Rank destination,
                            const std::function<void(const Envelope&)>& visit);

}  // namespace dampi::transport::memory
