#include "tests/unit/piggyback/distributed/fake_port.hpp"

#include "base/check.hpp"
#include "transport/collective_mismatch.hpp"
#include "transport/unreceived.hpp"

#include <algorithm>
#include <cstring>

namespace dampi::piggyback::distributed {

using clocks::Clock;
using transport::ClockName;
using transport::Contribution;
using transport::Envelope;
using transport::PostedReceive;
using transport::SentEnvelope;
using transport::SentState;
using transport::Token;

FakePort::FakePort(base::Rank own, std::uint32_t processes, clocks::Protocol protocol)
    : RankPort({.rank = own,
                .terms = terms_,
                .board = board_,
                .settle_round = settle_round_,
                .unacknowledged = unacknowledged_}) {
    terms_.processes = processes;
    terms_.protocol = static_cast<std::uint32_t>(protocol);
    terms_.rendezvous_threshold = ~std::uint64_t{0};
}

// ---- what the test says
// ----------------------------------------------------------------------------------------------

void FakePort::decide(transport::RankDecision decision) {
    decided_positions_.emplace_back(decision.completed.begin(), decision.completed.end());
    decision.completed = decided_positions_.back();
    decisions_.push_back(decision);
}

ClockName FakePort::published(const Clock& clock) {
    clocks_.push_back(clock);
    return clocks_.size();
}

std::uint64_t FakePort::arrive(base::Rank source, Envelope envelope) {
    Incoming& from = incoming_[source];
    if (envelope.comm == 0) {
        envelope.comm = base::world_comm;
    }
    std::uint64_t& next = from.numbers[envelope.comm];
    envelope.number = std::max(envelope.number, next);
    next = envelope.number + 1;
    if (envelope.synchronous) {
        ++unacknowledged_;
    }
    from.messages.push_back(std::make_unique<Arrived>(Arrived{.envelope = envelope}));
    return from.messages.size() - 1;
}

void FakePort::taken(const SentEnvelope& sent, ClockName acknowledgement, SentState state) {
    Sent& message = *static_cast<Sent*>(sent.place);
    message.state = state;
    message.acknowledgement = acknowledgement;
}

void FakePort::entered_by(base::Rank rank, base::CommId comm, Contribution contribution) {
    Record& record = record_of(rank, comm);
    contribution.sequence = record.contributions.size();
    record.contributions.push_back(contribution);
}

void FakePort::disordered_by(base::Rank rank, base::CommId comm) { record_of(rank, comm).disordered = true; }

// ---- what the rank has done
// ------------------------------------------------------------------------------------------

std::vector<PostedReceive> FakePort::shown() const {
    std::vector<PostedReceive> all;
    for (const auto& each : shown_) {
        if (each) {
            all.push_back(*each);
        }
    }
    return all;
}

const std::vector<Contribution>& FakePort::own_contributions(base::CommId comm) {
    return record_of(rank(), comm).contributions;
}

const std::vector<std::uint32_t>& FakePort::own_readers(base::CommId comm) { return record_of(rank(), comm).readers; }

// ---- RankPort
// --------------------------------------------------------------------------------------------------------

const transport::RankDecision* FakePort::decision(std::uint32_t index) const {
    const auto found = std::find_if(decisions_.begin(), decisions_.end(),
                                    [&](const transport::RankDecision& each) { return each.index == index; });
    return found == decisions_.end() ? nullptr : &*found;
}

transport::LogRoom FakePort::log_room() const {
    auto& self = const_cast<FakePort&>(*this);
    return {.bytes = self.log_.data(), .capacity = log_.size(), .length = &log_length_, .full = &self.board_.log_full};
}

bool FakePort::has_reached(base::Rank rank, std::uint32_t phase) const {
    const auto found = phases_.find(rank);
    return found != phases_.end() && static_cast<std::uint32_t>(found->second) >= phase;
}

ClockName FakePort::publish(const clocks::Snapshot& snapshot) {
    if (!snapshot) {
        return 0;
    }
    if (snapshot->published == 0) {
        snapshot->published = published(snapshot->clock);
    }
    return snapshot->published;
}

const Clock& FakePort::clock_of(base::Rank /*publisher*/, ClockName name) {
    static const Clock nothing;
    return name == 0 ? nothing : clocks_[name - 1];
}

Clock FakePort::clock(ClockName name) const { return name == 0 ? Clock{} : clocks_[name - 1]; }

clocks::Snapshot FakePort::snapshot(ClockName name) const {
    return name == 0 ? clocks::Snapshot() : clocks::Snapshot(clock(name), name);
}

bool FakePort::is_known(ClockName name, const Clock& known) const { return known.contains(clock(name)); }

SentEnvelope FakePort::send(base::Rank destination, const Envelope& envelope) {
    auto& to = sent_[destination];
    to.push_back(std::make_unique<Sent>(Sent{.envelope = envelope}));
    return {.destination = destination, .position = to.size() - 1, .place = to.back().get()};
}

void FakePort::withdraw(const SentEnvelope& sent, bool /*synchronous*/) {
    static_cast<Sent*>(sent.place)->withdrawn = true;
}

void FakePort::note_cancelled(const SentEnvelope& sent) {
    Sent& message = *static_cast<Sent*>(sent.place);
    message.envelope.cancelled = message.state == SentState::open;
}

SentState FakePort::state_of(const SentEnvelope& sent) const { return static_cast<const Sent*>(sent.place)->state; }

transport::Acknowledgement FakePort::acknowledgement(const SentEnvelope& sent) const {
    return {.clock = static_cast<const Sent*>(sent.place)->acknowledgement};
}

void FakePort::forget(const SentEnvelope& sent) { static_cast<Sent*>(sent.place)->forgotten = true; }

std::optional<Envelope> FakePort::first_fitting(base::Rank source, base::CommId comm, base::Tag tag) {
    Incoming& from = incoming_[source];
    for (std::size_t i = 0; i < from.messages.size(); ++i) {
        const Arrived& each = *from.messages[i];
        if (!each.taken && each.envelope.comm == comm && (tag == base::any_tag || each.envelope.tag == tag)) {
            from.found = i;
            return each.envelope;
        }
    }
    return std::nullopt;
}

std::optional<Envelope> FakePort::at(base::Rank source, std::uint64_t position) {
    Incoming& from = incoming_[source];
    if (position >= from.messages.size() || from.messages[position]->taken) {
        return std::nullopt;
    }
    from.found = position;
    return from.messages[position]->envelope;
}

std::optional<Envelope> FakePort::first_open(base::Rank source, base::CommId comm, std::uint64_t from) {
    for (const auto& each : incoming_[source].messages) {
        if (!each->taken && each->envelope.comm == comm && each->envelope.number >= from) {
            return each->envelope;
        }
    }
    return std::nullopt;
}

std::uint64_t FakePort::found_position(base::Rank source) const { return incoming_[source].found; }

FakePort::Arrived& FakePort::found(base::Rank source) {
    Incoming& from = incoming_[source];
    Arrived& message = *from.messages.at(from.found);
    DAMPI_CHECK(!message.taken);
    return message;
}

void FakePort::take(base::Rank source, bool synchronous, const transport::Acknowledgement& acknowledgement) {
    Arrived& message = found(source);
    DAMPI_CHECK(synchronous == message.envelope.synchronous);
    message.taken = true;
    if (synchronous) {
        message.acknowledged = acknowledgement.clock;
        --unacknowledged_;
    }
}

transport::HeldEnvelope FakePort::hold(base::Rank source) {
    Arrived& message = found(source);
    message.taken = true;
    message.held = true;
    --unacknowledged_;
    return {.place = &message};
}

void FakePort::release(const transport::HeldEnvelope& held, const transport::Acknowledgement& acknowledgement) {
    auto& message = *static_cast<Arrived*>(held.place);
    message.held = false;
    message.acknowledged = acknowledgement.clock;
}

void FakePort::for_each_open(base::Rank source, const std::function<void(const Envelope&)>& visit) const {
    for (const auto& each : incoming_[source].messages) {
        if (!each->taken) {
            visit(each->envelope);
        }
    }
}

std::vector<transport::Unreceived> FakePort::unreceived() const {
    return transport::unreceived(
        processes(), shown(),
        [this](base::Rank source, const std::function<void(const Envelope&)>& visit) { for_each_open(source, visit); });
}

std::uint64_t FakePort::show_posted(const PostedReceive& receive) {
    shown_.emplace_back(receive);
    return shown_.size() - 1;
}

void FakePort::hide_posted(std::uint64_t shown) {
    DAMPI_CHECK(shown_.at(shown).has_value());
    shown_[shown].reset();
}

void FakePort::for_each_posted(base::Rank rank, std::uint64_t most,
                               const std::function<bool(const PostedReceive&)>& visit) const {
    const auto found = others_posted_.find(rank);
    if (found == others_posted_.end()) {
        return;
    }
    for (const PostedReceive& each :
         std::span(found->second).first(std::min<std::size_t>(most, found->second.size()))) {
        if (!visit(each)) {
            return;
        }
    }
}

bool FakePort::looks_all_the_time(base::Rank rank) const {
    const auto found = looking_.find(rank);
    return found != looking_.end() && found->second;
}

FakePort::Record& FakePort::record_of(base::Rank rank, base::CommId comm) {
    const auto found = std::find_if(records_.begin(), records_.end(),
                                    [&](const Record& each) { return each.rank == rank && each.comm == comm; });
    if (found != records_.end()) {
        return *found;
    }
    return records_.emplace_back(Record{.rank = rank, .comm = comm});
}

Token FakePort::begin_record(base::CommId comm) {
    record_of(rank(), comm);
    Token searched = 0;
    return find_record(rank(), comm, searched);
}

void FakePort::enter(Token own, const Contribution& contribution, std::uint64_t /*digest*/, std::uint32_t readers) {
    Record& record = records_.at(own - 1);
    DAMPI_CHECK(record.rank == rank() && contribution.sequence == record.contributions.size());
    record.contributions.push_back(contribution);
    record.readers.push_back(readers);
}

void FakePort::disorder(Token own) { records_.at(own - 1).disordered = true; }

Token FakePort::find_record(base::Rank rank, base::CommId comm, Token& /*searched*/) const {
    for (std::size_t i = 0; i < records_.size(); ++i) {
        if (records_[i].rank == rank && records_[i].comm == comm) {
            return i + 1;
        }
    }
    return 0;
}

std::uint64_t FakePort::entered(Token record) const { return records_.at(record - 1).contributions.size(); }

bool FakePort::is_disordered(Token record) const { return records_.at(record - 1).disordered; }

std::optional<Contribution> FakePort::read(Token record, std::uint64_t sequence) {
    ++contributions_read;
    return look(record, sequence);
}

std::optional<transport::Glance> FakePort::glance(Token record, std::uint64_t sequence) const {
    const auto found = look(record, sequence);
    return found ? std::optional(transport::Glance{.clock = found->clock, .digest = transport::digest_of(*found)})
                 : std::nullopt;
}

std::optional<Contribution> FakePort::look(Token record, std::uint64_t sequence) const {
    const auto& all = records_.at(record - 1).contributions;
    return sequence < all.size() ? std::optional(all[sequence]) : std::nullopt;
}

Token FakePort::make_list(std::uint64_t bytes) {
    lists_.emplace_back((bytes + 7) / 8);
    return lists_.size();
}

void* FakePort::list(Token token) const { return const_cast<std::uint64_t*>(lists_.at(token - 1).data()); }

Token FakePort::publish_group(std::span<const base::Rank> ranks) {
    const Token token = make_list((ranks.size() + 1) * sizeof(base::Rank));
    auto* const place = static_cast<base::Rank*>(list(token));
    *place = static_cast<base::Rank>(ranks.size());
    std::copy(ranks.begin(), ranks.end(), place + 1);
    return token;
}

}  // namespace dampi::piggyback::distributed
