#include "scheduler/engines/central/leftovers.hpp"

#include "transport/collective_mismatch.hpp"
#include "transport/memory/contributions.hpp"
#include "transport/memory/envelope_queue.hpp"
#include "transport/log.hpp"
#include "transport/memory/slab.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace dampi::scheduler::central {
namespace {

using namespace transport;
using namespace transport::memory;

void write_messages(const Machine& machine, const Area& area, std::vector<Slab>& slabs) {
    std::map<std::pair<Rank, Rank>, EnvelopeWriter> writers;
    for (const OpenMessage& message : machine.open_messages()) {
        writers[{message.source, message.destination}].append(area, slabs[static_cast<std::size_t>(message.source)],
                                                              area.queue(message.source, message.destination),
                                                              {.comm = message.comm,
                                                               .tag = message.tag,
                                                               .number = message.number,
                                                               .clock = 0,
                                                               .site = message.site,
                                                               .synchronous = message.waited_for});
    }
}

void write_receives(const Machine& machine, const Area& area) {
    for (const OpenReceive& receive : machine.open_receives()) {
        std::atomic<std::uint64_t>& high = area.rank(receive.rank).posted_high;
        const std::uint64_t index = high.load(std::memory_order_relaxed);
        if (index >= posted_capacity) {
            continue;
        }
        high.store(index + 1, std::memory_order_relaxed);
        PostedSlot& slot = area.posted(receive.rank, index);
        slot.source = receive.spec.source;
        slot.tag = receive.spec.tag;
        slot.comm = receive.spec.comm;
        slot.epoch = no_epoch;
        slot.order = receive.order;
        slot.site = receive.site;
        slot.forced = receive.forced;
        slot.state.store(PostedState::pending, std::memory_order_release);
    }
}

PartFields fields_of(const Contribution& part) {
    return {.site = part.site,
            .sent = part.sent,
            .received = part.received,
            .operation = part.operation,
            .reduction = part.reduction,
            .root = part.root};
}

/// The lowest rank, and the lowest that contradicts it.
void log_mismatch(const Area& area, CommId comm, std::uint64_t sequence, const std::vector<CollectivePart>& parts) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t k = i + 1; k < parts.size(); ++k) {
            if (difference(parts[i].rank, parts[i].contribution, parts[k].rank, parts[k].contribution) !=
                Difference::none) {
                LogWriter(area.log_room(parts[i].rank))
                    .append(MismatchRecord{.comm = comm,
                                           .sequence = sequence,
                                           .peer = parts[k].rank,
                                           .own = fields_of(parts[i].contribution),
                                           .theirs = fields_of(parts[k].contribution)});
                return;
            }
        }
    }
}

void write_collectives(const Machine& machine, const Area& area, std::vector<Slab>& slabs) {
    // By communicator and rank: what is to be known of its contributions, ascending.
    std::map<std::pair<CommId, Rank>, std::map<std::uint64_t, Contribution>> known;
    for (const NoticedMismatch& mismatch : machine.mismatches()) {
        const std::vector<CollectivePart> parts = machine.parts(mismatch.comm, mismatch.sequence);
        log_mismatch(area, mismatch.comm, mismatch.sequence, parts);
        for (const CollectivePart& part : parts) {
            known[{mismatch.comm, part.rank}][mismatch.sequence] = part.contribution;
        }
    }
    const std::vector<CollectiveCount> counts = machine.collective_counts();
    std::map<CommId, std::pair<std::uint64_t, std::uint64_t>> range;
    for (const CollectiveCount& count : counts) {
        const auto [found, is_new] = range.try_emplace(count.comm, count.entered, count.entered);
        found->second.first = std::min(found->second.first, count.entered);
        found->second.second = std::max(found->second.second, count.entered);
    }
    for (const auto& [comm, least_and_most] : range) {
        if (least_and_most.first == least_and_most.second) {
            continue;
        }
        for (const CollectivePart& part : machine.parts(comm, least_and_most.first)) {
            known[{comm, part.rank}][least_and_most.first] = part.contribution;
        }
    }
    for (const CollectiveCount& count : counts) {
        if (count.latest && range[count.comm].first != range[count.comm].second) {
            known[{count.comm, count.rank}][count.entered - 1] = *count.latest;
        }
    }
    for (const auto& [of, contributions] : known) {
        Slab& slab = slabs[static_cast<std::size_t>(of.second)];
        auto& record = area.at<CommunicatorRecord>(add_record(area, slab, of.second, of.first));
        for (const auto& [sequence, contribution] : contributions) {
            record.entered.store(sequence, std::memory_order_relaxed);
            enter(area, slab, record, contribution, 0);
        }
    }
}

}  // namespace

void write_leftovers(const Machine& machine, const Area& area) {
    std::vector<Slab> slabs;
    slabs.reserve(area.processes());
    for (Rank rank = 0; rank < static_cast<Rank>(area.processes()); ++rank) {
        slabs.emplace_back(area, rank);
    }
    write_messages(machine, area, slabs);
    write_receives(machine, area);
    write_collectives(machine, area, slabs);
}

}  // namespace dampi::scheduler::central
