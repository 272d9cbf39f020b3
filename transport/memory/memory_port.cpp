#include "transport/memory/memory_port.hpp"

#include "base/check.hpp"
#include "transport/memory/contributions.hpp"
#include "transport/memory/posted_receives.hpp"
#include "transport/memory/rank_group.hpp"
#include "transport/unreceived.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace dampi::transport::memory {
namespace {

EnvelopeSlot& slot_of(const SentEnvelope& sent) { return *static_cast<EnvelopeSlot*>(sent.place); }

}  // namespace

MemoryPort::MemoryPort(Area area, base::Rank own)
    : RankPort({.rank = own,
                .terms = area.header(),
                .board = area.rank(own),
                .settle_round = area.header().settle_round,
                .unacknowledged = area.rank(own).unacknowledged}),
      area_(std::move(area)),
      own_(own),
      header_(area_.rank(own)),
      slab_(area_, own),
      outgoing_(area_.processes()),
      incoming_(area_.processes()),
      others_clocks_(area_.processes()) {
    for (std::uint64_t i = header_.decisions_begin; i < header_.decisions_end; ++i) {
        const DecisionEntry& entry = area_.decisions()[i];
        decisions_.push_back({.index = entry.index,
                              .kind = entry.kind,
                              .comm = entry.comm,
                              .tag = entry.tag,
                              .source = entry.source,
                              .poll = entry.poll,
                              .open = entry.open != 0,
                              .false_answers = entry.false_answers,
                              .additional = entry.additional,
                              .released = entry.released,
                              .completed = area_.completed(entry)});
    }
    for (std::uint64_t i = 0; i < header_.turn_count; ++i) {
        const TurnEntry& entry = (&area_.at<TurnEntry>(header_.turns))[i];
        turns_.push_back({.thread = entry.thread, .operations = entry.operations});
    }
}

const RankDecision* MemoryPort::decision(std::uint32_t index) const {
    const auto found =
        std::lower_bound(decisions_.begin(), decisions_.end(), index,
                         [](const RankDecision& decision, std::uint32_t wanted) { return decision.index < wanted; });
    return found != decisions_.end() && found->index == index ? &*found : nullptr;
}

// ---- messages ------------------------------------------------------------------------------------------------------

SentEnvelope MemoryPort::send(base::Rank destination, const Envelope& envelope) {
    EnvelopeWriter& to = writer(destination);
    EnvelopeSlot& slot = to.append(area_, slab_, area_.queue(own_, destination), envelope);
    if (envelope.synchronous) {
        to.pin();
        area_.rank(destination).unacknowledged.fetch_add(1, std::memory_order_release);
    }
    return {.destination = destination, .position = to.last_position(), .place = &slot};
}

void MemoryPort::withdraw(const SentEnvelope& sent, bool synchronous) {
    slot_of(sent).state.store(EnvelopeState::withdrawn, std::memory_order_release);
    if (synchronous) {
        writer(sent.destination).unpin();
        area_.rank(sent.destination).unacknowledged.fetch_sub(1, std::memory_order_relaxed);
    }
}

void MemoryPort::note_cancelled(const SentEnvelope& sent) {
    EnvelopeWriter::note_cancelled(area_, area_.queue(own_, sent.destination), sent.position);
}

SentState MemoryPort::state_of(const SentEnvelope& sent) const {
    switch (slot_of(sent).state.load(std::memory_order_acquire)) {
        case EnvelopeState::held:
            return SentState::held;
        case EnvelopeState::taken:
            return SentState::taken;
        default:
            return SentState::open;
    }
}

Acknowledgement MemoryPort::acknowledgement(const SentEnvelope& sent) const {
    const EnvelopeSlot& slot = slot_of(sent);
    return {.clock = slot.hash_or_acknowledgement, .posted_at = slot.data_or_posted_at};
}

void MemoryPort::forget(const SentEnvelope& sent) { writer(sent.destination).unpin(); }

void MemoryPort::take(base::Rank source, bool synchronous, const Acknowledgement& acknowledgement) {
    reader(source).take_found(area_.queue(source, own_), acknowledgement);
    if (synchronous) {
        header_.unacknowledged.fetch_sub(1, std::memory_order_relaxed);
    }
}

HeldEnvelope MemoryPort::hold(base::Rank source) {
    EnvelopeSlot& slot = reader(source).hold_found(area_.queue(source, own_));
    header_.unacknowledged.fetch_sub(1, std::memory_order_relaxed);
    return {.place = &slot};
}

void MemoryPort::release(const HeldEnvelope& held, const Acknowledgement& acknowledgement) {
    EnvelopeReader::release(*static_cast<EnvelopeSlot*>(held.place), acknowledgement);
}

std::vector<Unreceived> MemoryPort::unreceived() const {
    std::vector<PostedReceive> posted;
    for_each_posted_receive(area_, own_, posted_capacity, [&](const PostedReceive& receive) {
        posted.push_back(receive);
        return true;
    });
    return transport::unreceived(
        area_.processes(), posted,
        [this](base::Rank source, const std::function<void(const Envelope&)>& visit) { for_each_open(source, visit); });
}

// ---- posted receives -----------------------------------------------------------------------------------------------

std::uint64_t MemoryPort::show_posted(const PostedReceive& receive) {
    std::uint64_t index = 0;
    if (!free_posted_.empty()) {
        index = free_posted_.back();
        free_posted_.pop_back();
    } else {
        index = header_.posted_high.load(std::memory_order_relaxed);
        DAMPI_CHECK(index < posted_capacity);
        header_.posted_high.store(index + 1, std::memory_order_release);
    }
    PostedSlot& slot = area_.posted(own_, index);
    slot.source = receive.spec.source;
    slot.tag = receive.spec.tag;
    slot.epoch = receive.epoch;
    slot.comm = receive.spec.comm;
    slot.order = receive.order;
    slot.site = receive.site;
    slot.posted_clock = receive.posted_clock;
    slot.posted_at = receive.posted_at;
    slot.oldest_pending = receive.oldest_pending;
    slot.forced = receive.forced;
    slot.state.store(PostedState::pending, std::memory_order_release);
    return index;
}

void MemoryPort::hide_posted(std::uint64_t shown) {
    area_.posted(own_, shown).state.store(PostedState::free, std::memory_order_release);
    free_posted_.push_back(shown);
}

void MemoryPort::for_each_posted(base::Rank rank, std::uint64_t most,
                                 const std::function<bool(const PostedReceive&)>& visit) const {
    for_each_posted_receive(area_, rank, most, visit);
}

// ---- collectives ---------------------------------------------------------------------------------------------------

Token MemoryPort::begin_record(base::CommId comm) { return add_record(area_, slab_, own_, comm); }

void MemoryPort::enter(Token own, const Contribution& contribution, std::uint64_t digest, std::uint32_t readers) {
    memory::enter(area_, slab_, area_.at<CommunicatorRecord>(own), contribution, digest, readers);
}

void MemoryPort::disorder(Token own) {
    area_.at<CommunicatorRecord>(own).disordered.store(1, std::memory_order_release);
}

Token MemoryPort::find_record(base::Rank rank, base::CommId comm, Token& searched) const {
    return memory::find_record(area_, rank, comm, searched);
}

std::uint64_t MemoryPort::entered(Token record) const {
    return area_.at<CommunicatorRecord>(record).entered.load(std::memory_order_acquire);
}

bool MemoryPort::is_disordered(Token record) const {
    return area_.at<CommunicatorRecord>(record).disordered.load(std::memory_order_acquire) != 0;
}

std::optional<Contribution> MemoryPort::read(Token record, std::uint64_t sequence) {
    return memory::read(area_, area_.at<CommunicatorRecord>(record), sequence);
}

std::optional<Glance> MemoryPort::glance(Token record, std::uint64_t sequence) const {
    return memory::glance(area_.at<CommunicatorRecord>(record), sequence);
}

std::optional<Contribution> MemoryPort::look(Token record, std::uint64_t sequence) const {
    return memory::peek(area_, area_.at<CommunicatorRecord>(record), sequence);
}

Token MemoryPort::publish_group(std::span<const base::Rank> ranks) {
    return memory::publish_group(area_, slab_, ranks);
}

}  // namespace dampi::transport::memory
