#include "transport/memory/contributions.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <unordered_set>

namespace dampi::transport::memory {
namespace {

constexpr std::uint64_t first_capacity = 8;
constexpr std::uint64_t being_written = ~std::uint64_t{0};

constexpr std::uint64_t ring_size(std::uint64_t capacity) {
    return sizeof(ContributionRing) + capacity * sizeof(ContributionSlot);
}

/// Capacities are powers of two.
ContributionSlot& slot_of(ContributionRing& ring, std::uint64_t sequence) {
    return reinterpret_cast<ContributionSlot*>(&ring + 1)[sequence & (ring.capacity - 1)];
}

template <typename T>
T load(T& field) {
    return std::atomic_ref<T>(field).load(std::memory_order_relaxed);
}

template <typename T>
void store(T& field, T value) {
    std::atomic_ref<T>(field).store(value, std::memory_order_relaxed);
}

TypedData load(TypedData& data) {
    return {.hash = load(data.hash), .items = load(data.items), .type = load(data.type)};
}

void store(TypedData& data, const TypedData& value) {
    store(data.hash, value.hash);
    store(data.items, value.items);
    store(data.type, value.type);
}

/// A consistent copy, even while the slot is being overwritten; nothing if it holds another sequence number.
std::optional<Contribution> copy(ContributionSlot& slot, std::uint64_t sequence) {
    std::atomic_ref<std::uint64_t> number(slot.sequence);
    if (number.load(std::memory_order_acquire) != sequence) {
        return std::nullopt;
    }
    const Contribution contribution{.sequence = sequence,
                                    .clock = load(slot.clock),
                                    .operation = load(slot.operation),
                                    .reduction = load(slot.reduction),
                                    .root = load(slot.root),
                                    .site = load(slot.site),
                                    .sent = load(slot.sent),
                                    .received = load(slot.received),
                                    .sent_data = load(slot.sent_data),
                                    .received_data = load(slot.received_data),
                                    .arguments = load(slot.arguments),
                                    .shares = load(slot.shares),
                                    .entered_at = load(slot.entered_at)};
    std::atomic_thread_fence(std::memory_order_acquire);
    if (number.load(std::memory_order_relaxed) != sequence) {
        return std::nullopt;
    }
    return contribution;
}

/// The slot for a sequence number that has been entered, in the ring that was in use then.
ContributionSlot* find_slot(const Area& area, const CommunicatorRecord& record, std::uint64_t sequence) {
    Offset offset = record.ring.load(std::memory_order_acquire);
    while (offset != 0) {
        auto& ring = area.at<ContributionRing>(offset);
        if (ring.start <= sequence) {
            return &slot_of(ring, sequence);
        }
        offset = ring.previous;
    }
    return nullptr;
}

/// A ring of `owner` as found from outside: null unless all of it lies in the owner's slab.
ContributionRing* checked_ring(const Area& area, base::Rank owner, Offset offset, std::uint64_t& capacity) {
    auto* ring = area.checked<ContributionRing>(owner, offset);
    if (ring == nullptr) {
        return nullptr;
    }
    capacity = load(ring->capacity);
    if (!std::has_single_bit(capacity) || capacity > slab_capacity / sizeof(ContributionSlot) ||
        ring_size(capacity) > area.slab_end(owner) - offset) {
        return nullptr;
    }
    return ring;
}

/// Calls `visit(record)` for each record of the rank, as found from outside, the newest first, until it answers
/// false or the list makes no sense.
template <typename Visit>
void for_each_checked_record(const Area& area, base::Rank rank, Visit&& visit) {
    Offset offset = area.rank(rank).first_communicator.load(std::memory_order_acquire);
    std::unordered_set<Offset> seen;
    while (offset != 0 && seen.insert(offset).second) {
        auto* record = area.checked<CommunicatorRecord>(rank, offset);
        if (record == nullptr || !visit(*record)) {
            return;
        }
        offset = load(record->next);
    }
}

/// The contribution from the newest ring that begins early enough.
std::optional<Contribution> checked_contribution(const Area& area, base::Rank rank, const CommunicatorRecord& record,
                                                 std::uint64_t sequence) {
    constexpr int most_rings = 64;  // each has twice the size of the one before
    Offset offset = record.ring.load(std::memory_order_acquire);
    for (int i = 0; i < most_rings; ++i) {
        std::uint64_t capacity = 0;
        ContributionRing* ring = checked_ring(area, rank, offset, capacity);
        if (ring == nullptr) {
            return std::nullopt;
        }
        if (load(ring->start) <= sequence) {
            return copy(reinterpret_cast<ContributionSlot*>(ring + 1)[sequence & (capacity - 1)], sequence);
        }
        offset = load(ring->previous);
    }
    return std::nullopt;
}

}  // namespace

Offset add_record(const Area& area, Slab& slab, base::Rank own, base::CommId comm) {
    const Offset offset = slab.allocate(sizeof(CommunicatorRecord));
    auto& record = area.at<CommunicatorRecord>(offset);
    auto& first = area.rank(own).first_communicator;
    record.comm = comm;
    record.next = first.load(std::memory_order_relaxed);
    first.store(offset, std::memory_order_release);
    return offset;
}

void enter(const Area& area, Slab& slab, CommunicatorRecord& record, const Contribution& contribution,
           std::uint64_t digest, std::uint32_t readers) {
    const std::uint64_t sequence = contribution.sequence;
    DAMPI_CHECK(record.entered.load(std::memory_order_relaxed) == sequence);
    const Offset old = record.ring.load(std::memory_order_relaxed);
    ContributionRing* ring = old == 0 ? nullptr : &area.at<ContributionRing>(old);
    const auto must_stay = [&] {  // what lies where this is to go
        return slot_of(*ring, sequence).readers_left.load(std::memory_order_acquire) != 0 ||
               (ring->capacity < kept_contributions && sequence - ring->start >= ring->capacity);
    };
    if (ring == nullptr || must_stay()) {
        const std::uint64_t capacity = ring == nullptr ? first_capacity : ring->capacity * 2;
        const Offset fresh = slab.allocate(ring_size(capacity));
        ring = &area.at<ContributionRing>(fresh);
        ring->previous = old;
        ring->start = sequence;
        ring->capacity = capacity;
        for (std::uint64_t i = 0; i < capacity; ++i) {
            slot_of(*ring, i).sequence = being_written;
        }
        record.ring.store(fresh, std::memory_order_release);
    }
    ContributionSlot& slot = slot_of(*ring, sequence);
    store(slot.sequence, being_written);
    std::atomic_thread_fence(std::memory_order_release);
    store(slot.clock, contribution.clock);
    store(slot.operation, contribution.operation);
    store(slot.reduction, contribution.reduction);
    store(slot.root, contribution.root);
    store(slot.site, contribution.site);
    store(slot.sent, contribution.sent);
    store(slot.received, contribution.received);
    store(slot.sent_data, contribution.sent_data);
    store(slot.received_data, contribution.received_data);
    store(slot.arguments, contribution.arguments);
    store(slot.shares, contribution.shares);
    store(slot.entered_at, contribution.entered_at);
    slot.readers_left.store(readers, std::memory_order_relaxed);
    std::atomic_ref(slot.sequence).store(sequence, std::memory_order_release);
    Glance& glance = record.glances[sequence % glances_kept];
    store(glance.clock, contribution.clock);
    store(glance.digest, digest);
    record.entered.store(sequence + 1, std::memory_order_release);
}

Offset find_record(const Area& area, base::Rank rank, base::CommId comm, Offset& searched) {
    // New records come in front.
    const Offset first = area.rank(rank).first_communicator.load(std::memory_order_acquire);
    for (Offset offset = first; offset != searched && offset != 0;) {
        const auto& record = area.at<CommunicatorRecord>(offset);
        if (record.comm == comm) {
            return offset;
        }
        offset = record.next;
    }
    searched = first;
    return 0;
}

std::optional<Contribution> read(const Area& area, const CommunicatorRecord& record, std::uint64_t sequence) {
    ContributionSlot* slot = find_slot(area, record, sequence);
    if (slot == nullptr) {
        return std::nullopt;
    }
    const auto contribution = copy(*slot, sequence);
    if (contribution) {
        // Never below zero, even if ranks disagree about who reads.
        std::uint32_t left = slot->readers_left.load(std::memory_order_relaxed);
        while (left != 0 && !slot->readers_left.compare_exchange_weak(left, left - 1, std::memory_order_release,
                                                                      std::memory_order_relaxed)) {}
    }
    return contribution;
}

std::optional<Glance> glance(CommunicatorRecord& record, std::uint64_t sequence) {
    // It is overwritten only after the rank has shown that it has entered glances_kept more, and all that is written
    // into the slot before stands behind the fence in enter().
    Glance& place = record.glances[sequence % glances_kept];
    const Glance found{.clock = load(place.clock), .digest = load(place.digest)};
    std::atomic_thread_fence(std::memory_order_acquire);
    const std::uint64_t entered = record.entered.load(std::memory_order_relaxed);
    const bool still_there = entered > sequence && entered < sequence + glances_kept;
    return still_there && found.digest != 0 ? std::optional(found) : std::nullopt;
}

std::optional<Contribution> peek(const Area& area, const CommunicatorRecord& record, std::uint64_t sequence) {
    ContributionSlot* slot = find_slot(area, record, sequence);
    return slot == nullptr ? std::nullopt : copy(*slot, sequence);
}

std::vector<CollectiveProgress> collective_progress(const Area& area, base::Rank rank) {
    std::vector<CollectiveProgress> progress;
    for_each_checked_record(area, rank, [&](CommunicatorRecord& record) {
        CollectiveProgress found{.comm = load(record.comm),
                                 .entered = record.entered.load(std::memory_order_acquire),
                                 .latest = {},
                                 .disordered = record.disordered.load(std::memory_order_acquire) != 0};
        if (found.entered != 0) {
            found.latest = checked_contribution(area, rank, record, found.entered - 1);
        }
        progress.push_back(found);
        return true;
    });
    std::reverse(progress.begin(), progress.end());
    return progress;
}

std::optional<Contribution> find_contribution(const Area& area, base::Rank rank, base::CommId comm,
                                              std::uint64_t sequence) {
    std::optional<Contribution> found;
    for_each_checked_record(area, rank, [&](CommunicatorRecord& record) {
        if (load(record.comm) != comm) {
            return true;
        }
        if (record.entered.load(std::memory_order_acquire) > sequence) {
            found = checked_contribution(area, rank, record, sequence);
        }
        return false;
    });
    return found;
}

}  // namespace dampi::transport::memory
