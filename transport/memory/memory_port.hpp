// The port of a rank that shares memory with dampi-run and the other ranks (layout.hpp).
#pragma once

#include "transport/memory/area.hpp"
#include "transport/memory/clock_store.hpp"
#include "transport/memory/envelope_queue.hpp"
#include "transport/memory/slab.hpp"
#include "transport/rank_port.hpp"

#include <vector>

namespace dampi::transport::memory {

class MemoryPort final : public RankPort {
public:
    MemoryPort(Area area, base::Rank own);

    /// For a process that is a rank: its own, which lives as long as it does.
    static MemoryPort* of_process() noexcept { return of_process_; }
    void become_that_of_process() noexcept { of_process_ = this; }

    [[nodiscard]] Area& area() { return area_; }
    [[nodiscard]] const Area& area() const { return area_; }
    [[nodiscard]] Slab& slab() { return slab_; }

    [[nodiscard]] const RankDecision* decision(std::uint32_t index) const override;
    [[nodiscard]] std::span<const RankTurn> turns() const override { return turns_; }

    [[nodiscard]] LogRoom log_room() const override { return area_.log_room(own_); }
    [[nodiscard]] bool has_reached(base::Rank rank, std::uint32_t phase) const override {
        return static_cast<std::uint32_t>(area_.rank(rank).phase.load(std::memory_order_acquire)) >= phase;
    }

    ClockName publish(const clocks::Snapshot& snapshot) override {
        return snapshot ? publish_clock(area_, slab_, snapshot) : 0;
    }
    const clocks::Clock& clock_of(base::Rank publisher, ClockName name) override {
        return others_clocks_.read(area_, publisher, name);
    }
    [[nodiscard]] clocks::Clock clock(ClockName name) const override { return published_clock(area_, name); }
    [[nodiscard]] clocks::Snapshot snapshot(ClockName name) const override {
        return name == 0 ? clocks::Snapshot() : published_snapshot(area_, name);
    }
    [[nodiscard]] bool is_known(ClockName name, const clocks::Clock& clock) const override {
        return is_published_known(area_, name, clock);
    }

    SentEnvelope send(base::Rank destination, const Envelope& envelope) override;
    void withdraw(const SentEnvelope& sent, bool synchronous) override;
    void note_cancelled(const SentEnvelope& sent) override;
    [[nodiscard]] SentState state_of(const SentEnvelope& sent) const override;
    [[nodiscard]] Acknowledgement acknowledgement(const SentEnvelope& sent) const override;
    void forget(const SentEnvelope& sent) override;

    std::optional<Envelope> first_fitting(base::Rank source, base::CommId comm, base::Tag tag) override {
        return reader(source).peek(area_, area_.queue(source, own_), comm, tag);
    }
    std::optional<Envelope> at(base::Rank source, std::uint64_t position) override {
        return reader(source).peek_at(area_, area_.queue(source, own_), position);
    }
    std::optional<Envelope> first_open(base::Rank source, base::CommId comm, std::uint64_t from) override {
        return reader(source).first_open(area_, area_.queue(source, own_), comm, from);
    }
    [[nodiscard]] std::uint64_t found_position(base::Rank source) const override {
        return incoming_[static_cast<std::size_t>(source)].found_position();
    }
    void take(base::Rank source, bool synchronous, const Acknowledgement& acknowledgement) override;
    HeldEnvelope hold(base::Rank source) override;
    void release(const HeldEnvelope& held, const Acknowledgement& acknowledgement) override;
    void for_each_open(base::Rank source, const std::function<void(const Envelope&)>& visit) const override {
        for_each_open_envelope(area_, source, own_, visit);
    }
    [[nodiscard]] std::vector<Unreceived> unreceived() const override;

    std::uint64_t show_posted(const PostedReceive& receive) override;
    void hide_posted(std::uint64_t shown) override;
    void for_each_posted(base::Rank rank, std::uint64_t most,
                         const std::function<bool(const PostedReceive&)>& visit) const override;
    [[nodiscard]] bool looks_all_the_time(base::Rank rank) const override {
        return area_.rank(rank).blocked.activity.load(std::memory_order_acquire) == Activity::blocked;
    }

    Token begin_record(base::CommId comm) override;
    void enter(Token own, const Contribution& contribution, std::uint64_t digest, std::uint32_t readers) override;
    void disorder(Token own) override;
    [[nodiscard]] Token find_record(base::Rank rank, base::CommId comm, Token& searched) const override;
    [[nodiscard]] std::uint64_t entered(Token record) const override;
    [[nodiscard]] bool is_disordered(Token record) const override;
    std::optional<Contribution> read(Token record, std::uint64_t sequence) override;
    [[nodiscard]] std::optional<Glance> glance(Token record, std::uint64_t sequence) const override;
    [[nodiscard]] std::optional<Contribution> look(Token record, std::uint64_t sequence) const override;

    Token make_list(std::uint64_t bytes) override { return slab_.allocate(bytes); }
    [[nodiscard]] void* list(Token token) const override { return &area_.at<std::uint8_t>(token); }
    Token publish_group(std::span<const base::Rank> ranks) override;

private:
    [[nodiscard]] EnvelopeReader& reader(base::Rank source) { return incoming_[static_cast<std::size_t>(source)]; }
    [[nodiscard]] EnvelopeWriter& writer(base::Rank destination) {
        return outgoing_[static_cast<std::size_t>(destination)];
    }

    static inline MemoryPort* of_process_ = nullptr;

    Area area_;
    base::Rank own_;
    RankHeader& header_;
    Slab slab_;
    std::vector<EnvelopeWriter> outgoing_;  ///< by destination
    std::vector<EnvelopeReader> incoming_;  ///< by source
    PublishedClocks others_clocks_;
    std::vector<std::uint64_t> free_posted_;  ///< PostedSlots to use again
    std::vector<RankDecision> decisions_;     ///< by index
    std::vector<RankTurn> turns_;
};

}  // namespace dampi::transport::memory
