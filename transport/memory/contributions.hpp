// Each rank's progress through the collectives of each communicator: how many it has entered, and for each
// the clock that the others learn from it. The records and rings lie in the slab of the rank that writes them;
// layout.hpp says how.
//
// A writer says how many ranks will read each contribution and overwrites none that still has readers; if
// the ring is full of those it goes on in one of twice the size. It also does while the ring is smaller than
// kept_contributions, so that a rank that comes much later can still compare what it does with what the others
// did. Rings are never freed: the larger ones dominate, so a communicator costs at most twice what its slowest
// reader, or kept_contributions, made necessary.
// One writer per record, any number of readers, no locks.
#pragma once

#include "base/types.hpp"
#include "transport/memory/area.hpp"
#include "transport/memory/slab.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace dampi::transport::memory {

/// At least so many of a rank's latest contributions can be read, also those that nobody was to read.
inline constexpr std::uint64_t kept_contributions = 512;

// ---- the writing rank ------------------------------------------------------------------------------------

/// Begins the record of a communicator that this rank has none for yet.
Offset add_record(const Area& area, Slab& slab, base::Rank own, base::CommId comm);

/// The rank owning `record` enters the collective `contribution.sequence`, which must be the record's next.
/// `readers` calls of read() are to come from other ranks; `digest` as in RankPort::enter.
void enter(const Area& area, Slab& slab, CommunicatorRecord& record, const Contribution& contribution,
           std::uint64_t digest, std::uint32_t readers);

// ---- other ranks -----------------------------------------------------------------------------------------

/// The record of `rank` for `comm`, or 0 while it has none. `searched` remembers between calls which part of
/// the rank's list needs no further look; 0 at first, one for each (rank, comm).
Offset find_record(const Area& area, base::Rank rank, base::CommId comm, Offset& searched);

/// Whether the rank of `record` has entered collective `sequence`.
[[nodiscard]] inline bool has_entered(const CommunicatorRecord& record, std::uint64_t sequence) {
    return record.entered.load(std::memory_order_acquire) > sequence;
}

/// Reads a contribution that has_entered() and gives up this reader's claim on it. Nothing when it is gone,
/// which only happens when the writer did not count this reader.
std::optional<Contribution> read(const Area& area, const CommunicatorRecord& record, std::uint64_t sequence);

/// As RankPort::glance.
std::optional<Glance> glance(CommunicatorRecord& record, std::uint64_t sequence);

/// Reads a contribution without a claim on it: for looking at what was not meant for this rank.
std::optional<Contribution> peek(const Area& area, const CommunicatorRecord& record, std::uint64_t sequence);

// ---- dampi-run -------------------------------------------------------------------------------------------

/// All that a rank has entered, in the order of its communicators' first collectives. Believes nothing: every
/// offset is checked, and the list ends at the first that makes no sense.
[[nodiscard]] std::vector<CollectiveProgress> collective_progress(const Area& area, base::Rank rank);

/// A rank's contribution to one collective; nothing if it has not entered that, if the contribution is kept no
/// longer, or where the rank's memory makes no sense.
[[nodiscard]] std::optional<Contribution> find_contribution(const Area& area, base::Rank rank, base::CommId comm,
                                                            std::uint64_t sequence);

}  // namespace dampi::transport::memory
