#include "transport/memory/envelope_queue.hpp"

#include <algorithm>

namespace dampi::transport::memory {
namespace {

constexpr std::uint64_t most_items = (std::uint64_t{1} << bits_of_items) - 1;

Envelope read(const EnvelopeChunk& chunk, std::uint64_t position) {
    const EnvelopeSlot& slot = chunk.slots[position];
    return {.comm = slot.comm,
            .tag = slot.tag,
            .number = slot.number,
            .clock = slot.clock,
            .site = slot.site,
            .synchronous = (slot.flags & flag_synchronous) != 0,
            .promised = (slot.flags & flag_promised) != 0,
            .ready = (slot.flags & flag_ready) != 0,
            .cancelled = (slot.flags & flag_cancelled) != 0,
            .buffered = slot.buffered,
            .data = {.hash = slot.hash_or_acknowledgement,
                     .items = slot.data_or_posted_at & most_items,
                     .type = static_cast<TypeNumber>(slot.data_or_posted_at >> bits_of_items)},
            .sent_at = (slot.flags & flag_timed) != 0 ? chunk.sent_at[position] : 0};
}

}  // namespace

void EnvelopeWriter::add_chunk(const Area& area, Slab& slab, QueueHeader& queue) {
    // A chunk may go when the receiver has taken something behind it: until then the receiver may still be
    // about to follow its `next`.
    const std::uint64_t base = queue.base.load(std::memory_order_acquire);
    Offset first = queue.first_chunk.load(std::memory_order_relaxed);
    while (first != 0) {
        auto& chunk = area.at<EnvelopeChunk>(first);
        const Offset next = chunk.next.load(std::memory_order_relaxed);
        if (pins_ != 0 || next == 0 || base <= chunk.first_index + envelopes_per_chunk) {
            break;
        }
        queue.first_chunk.store(next, std::memory_order_release);
        if (swept_ == first) {
            swept_ = 0;
        }
        slab.free(first, sizeof(EnvelopeChunk));
        first = next;
    }
    free_behind_left_over(area, slab, queue);
    const Offset fresh = slab.allocate(sizeof(EnvelopeChunk));
    auto& chunk = area.at<EnvelopeChunk>(fresh);
    chunk.first_index = next_;
    if (chunk_ != nullptr) {
        chunk_->next.store(fresh, std::memory_order_release);
    } else {
        queue.first_chunk.store(fresh, std::memory_order_release);
    }
    chunk_ = &chunk;
}

void EnvelopeWriter::free_behind_left_over(const Area& area, Slab& slab, QueueHeader& queue) {
    if (pins_ != 0) {
        return;
    }
    const std::uint64_t ingested = queue.ingested.load(std::memory_order_acquire);
    if (queue.base.load(std::memory_order_acquire) == ingested) {
        return;  // none is left over
    }
    for (int looks = 0; looks < 2; ++looks) {
        if (swept_ == 0) {
            swept_ = queue.first_chunk.load(std::memory_order_relaxed);
        }
        if (swept_ == 0) {
            return;
        }
        auto& before = area.at<EnvelopeChunk>(swept_);
        const Offset offset = before.next.load(std::memory_order_relaxed);
        auto* chunk = offset == 0 ? nullptr : &area.at<EnvelopeChunk>(offset);
        if (chunk == nullptr || chunk->first_index + envelopes_per_chunk >= ingested) {
            swept_ = 0;
            return;
        }
        bool all_gone = true;
        for (const EnvelopeSlot& slot : chunk->slots) {
            // The receiver may still hold on to a withdrawn one.
            all_gone = all_gone && slot.state.load(std::memory_order_acquire) == EnvelopeState::taken;
        }
        if (all_gone) {
            before.next.store(chunk->next.load(std::memory_order_relaxed), std::memory_order_release);
            slab.free(offset, sizeof(EnvelopeChunk));
        } else {
            swept_ = offset;
        }
    }
}

EnvelopeSlot& EnvelopeWriter::append(const Area& area, Slab& slab, QueueHeader& queue, const Envelope& envelope) {
    const std::uint64_t position = next_ % envelopes_per_chunk;
    if (position == 0) {
        add_chunk(area, slab, queue);
    }
    EnvelopeSlot& slot = chunk_->slots[position];
    ++next_;
    slot.tag = envelope.tag;
    slot.comm = envelope.comm;
    slot.number = envelope.number;
    slot.clock = envelope.clock;
    slot.site = envelope.site;
    slot.flags = (envelope.synchronous ? flag_synchronous : 0U) | (envelope.promised ? flag_promised : 0U) |
                 (envelope.ready ? flag_ready : 0U);
    slot.buffered = envelope.buffered;
    slot.hash_or_acknowledgement = envelope.data.hash;
    if (envelope.sent_at != 0) {
        slot.flags |= flag_timed;
        chunk_->sent_at[position] = envelope.sent_at;
    }
    slot.data_or_posted_at =
        envelope.data.items > most_items ? 0 : std::uint64_t{envelope.data.type} << bits_of_items | envelope.data.items;
    slot.state.store(EnvelopeState::sent, std::memory_order_release);
    return slot;
}

void EnvelopeWriter::note_cancelled(const Area& area, QueueHeader& queue, std::uint64_t position) {
    Offset offset = queue.first_chunk.load(std::memory_order_relaxed);
    while (offset != 0) {
        auto& chunk = area.at<EnvelopeChunk>(offset);
        if (position >= chunk.first_index && position < chunk.first_index + envelopes_per_chunk) {
            std::atomic_ref(chunk.slots[position - chunk.first_index].flags).fetch_or(flag_cancelled);
            return;
        }
        offset = chunk.next.load(std::memory_order_relaxed);
    }
}

Envelope EnvelopeReader::read(const Open& open) { return memory::read(*open.chunk, open.index % envelopes_per_chunk); }

bool EnvelopeReader::ingest(const Area& area, QueueHeader& queue) {
    const std::uint64_t position = next_ % envelopes_per_chunk;
    EnvelopeChunk* chunk = chunk_;
    if (chunk == nullptr) {
        const Offset first = queue.first_chunk.load(std::memory_order_acquire);
        if (first == 0) {
            return false;
        }
        chunk = &area.at<EnvelopeChunk>(first);
    } else if (position == 0) {
        const Offset next = chunk->next.load(std::memory_order_acquire);
        if (next == 0) {
            return false;
        }
        chunk = &area.at<EnvelopeChunk>(next);
    }
    EnvelopeSlot& slot = chunk->slots[position];
    if (slot.state.load(std::memory_order_acquire) == EnvelopeState::empty) {
        return false;
    }
    if (position + 2 < envelopes_per_chunk) {
        __builtin_prefetch(&chunk->slots[position + 2]);  // the sender's core has it
    }
    chunk_ = chunk;
    open_.push_back({next_, chunk});
    ++next_;
    return true;
}

EnvelopeSlot& EnvelopeReader::slot_of(const Open& open) { return open.chunk->slots[open.index % envelopes_per_chunk]; }

template <typename Fits>
bool EnvelopeReader::find(const Area& area, QueueHeader& queue, Fits&& fits) {
    for (found_ = 0;; ++found_) {
        if (found_ == open_.size() && !ingest(area, queue)) {
            return false;
        }
        EnvelopeSlot& slot = slot_of(open_[found_]);
        if (slot.state.load(std::memory_order_acquire) == EnvelopeState::sent && fits(slot)) {
            return true;
        }
    }
}

void EnvelopeReader::publish_base(QueueHeader& queue) {
    queue.ingested.store(next_, std::memory_order_release);
    queue.base.store(open_.empty() ? next_ : open_.front().index, std::memory_order_release);
}

std::optional<Envelope> EnvelopeReader::peek(const Area& area, QueueHeader& queue, base::CommId comm, base::Tag tag) {
    const bool found = find(area, queue, [&](const EnvelopeSlot& each) {
        return each.comm == comm && (tag == base::any_tag || each.tag == tag);
    });
    return found ? std::optional(read(open_[found_])) : std::nullopt;
}

std::optional<Envelope> EnvelopeReader::peek_at(const Area& area, QueueHeader& queue, std::uint64_t position) {
    while (next_ <= position) {
        if (!ingest(area, queue)) {
            return std::nullopt;
        }
    }
    const auto found = std::lower_bound(open_.begin(), open_.end(), position,
                                        [](const Open& open, std::uint64_t wanted) { return open.index < wanted; });
    if (found == open_.end() || found->index != position ||
        slot_of(*found).state.load(std::memory_order_acquire) != EnvelopeState::sent) {
        return std::nullopt;
    }
    found_ = static_cast<std::size_t>(found - open_.begin());
    return read(*found);
}

std::optional<Envelope> EnvelopeReader::first_open(const Area& area, QueueHeader& queue, base::CommId comm,
                                                   std::uint64_t from) {
    const bool found =
        find(area, queue, [&](const EnvelopeSlot& each) { return each.comm == comm && each.number >= from; });
    return found ? std::optional(read(open_[found_])) : std::nullopt;
}

void EnvelopeReader::take_found(QueueHeader& queue, const Acknowledgement& acknowledgement) {
    release(slot_of(open_[found_]), acknowledgement);
    remove_found(queue);
}

EnvelopeSlot& EnvelopeReader::hold_found(QueueHeader& queue) {
    EnvelopeSlot& slot = slot_of(open_[found_]);
    slot.state.store(EnvelopeState::held, std::memory_order_release);
    remove_found(queue);
    return slot;
}

void EnvelopeReader::release(EnvelopeSlot& held, const Acknowledgement& acknowledgement) {
    held.data_or_posted_at = acknowledgement.posted_at;
    held.hash_or_acknowledgement = acknowledgement.clock;
    held.state.store(EnvelopeState::taken, std::memory_order_release);
}

void EnvelopeReader::remove_found(QueueHeader& queue) {
    if (found_ == 0) {
        open_.pop_front();
    } else {
        open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(found_));
    }
    while (!open_.empty() && slot_of(open_.front()).state.load(std::memory_order_acquire) == EnvelopeState::withdrawn) {
        open_.erase(open_.begin());
    }
    publish_base(queue);
}

namespace {

void for_each_envelope(const Area& area, base::Rank source, base::Rank destination, EnvelopeState wanted,
                       const std::function<void(const Envelope&)>& visit) {
    Offset offset = area.queue(source, destination).first_chunk.load(std::memory_order_acquire);
    std::uint64_t least_index = 0;  // indices grow along the list: a circle ends at once
    while (offset != 0) {
        const auto* chunk = area.checked<EnvelopeChunk>(source, offset);
        if (chunk == nullptr || chunk->first_index < least_index) {
            return;
        }
        least_index = chunk->first_index + envelopes_per_chunk;
        for (std::uint64_t position = 0; position < envelopes_per_chunk; ++position) {
            const EnvelopeState state = chunk->slots[position].state.load(std::memory_order_acquire);
            if (state == wanted) {
                visit(memory::read(*chunk, position));
            } else if (state == EnvelopeState::empty || state > EnvelopeState::withdrawn) {
                return;
            }
        }
        offset = chunk->next.load(std::memory_order_acquire);
    }
}

}  // namespace

void for_each_open_envelope(const Area& area, base::Rank source, base::Rank destination,
                            const std::function<void(const Envelope&)>& visit) {
    for_each_envelope(area, source, destination, EnvelopeState::sent, visit);
}

void for_each_held_envelope(const Area& area, base::Rank source, base::Rank destination,
                            const std::function<void(const Envelope&)>& visit) {
    for_each_envelope(area, source, destination, EnvelopeState::held, visit);
}

}  // namespace dampi::transport::memory
