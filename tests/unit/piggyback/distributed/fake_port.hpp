// A port without a run: the rank under test is alone, and the test does what the others would do. What the rank writes
// for others is kept for the test to look at; what others have written is what the test says.
#pragma once

#include "clocks/clock.hpp"
#include "transport/log.hpp"
#include "transport/rank_port.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace dampi::piggyback::distributed {

/// The part of a port that the rank reads without a call.
class FakeMemory {
protected:
    transport::RunTerms terms_{};
    transport::Board board_{};
    std::atomic<std::uint32_t> settle_round_{0};
    std::atomic<std::uint32_t> unacknowledged_{0};
};

class FakePort final : private FakeMemory, public transport::RankPort {
public:
    FakePort(base::Rank own, std::uint32_t processes, clocks::Protocol protocol = clocks::Protocol::vector);

    // ---- what the test says before the rank exists ---------------------------------------------------------------

    /// To change; only before a layer is made of it.
    [[nodiscard]] transport::RunTerms& terms_to_be() { return terms_; }
    void decide(transport::RankDecision decision);
    void decide_turns(std::vector<transport::RankTurn> turns) { turns_ = std::move(turns); }

    // ---- what the others do --------------------------------------------------------------------------------------

    /// Another rank has published this clock.
    transport::ClockName published(const clocks::Clock& clock);
    /// Another rank has sent a message, of which it only has to be said what is not as usual. Its number is the next of
    /// the source's on that communicator, if it is not given. Returns its position.
    std::uint64_t arrive(base::Rank source, transport::Envelope envelope);
    /// The receiver of a message of this rank's has taken it (or holds it), and acknowledges it with that clock.
    void taken(const transport::SentEnvelope& sent, transport::ClockName acknowledgement = 0,
               transport::SentState state = transport::SentState::taken);
    /// Another rank shows that it has posted this receive.
    void posted(base::Rank rank, const transport::PostedReceive& receive) { others_posted_[rank].push_back(receive); }
    /// Another rank looks all the time, or does not.
    void look_all_the_time(base::Rank rank, bool looks) { looking_[rank] = looks; }
    /// Another rank enters its next collective of that communicator.
    void entered_by(base::Rank rank, base::CommId comm, transport::Contribution contribution);
    void disordered_by(base::Rank rank, base::CommId comm);
    void reached(base::Rank rank, transport::Phase phase) { phases_[rank] = phase; }
    /// dampi-run asks whether blocked ranks are blocked.
    void ask_round(std::uint32_t round) { settle_round_.store(round); }

    // ---- what the rank has done ----------------------------------------------------------------------------------

    struct Sent {
        transport::Envelope envelope;
        transport::SentState state = transport::SentState::open;
        transport::ClockName acknowledgement = 0;
        bool withdrawn = false;
        bool forgotten = false;
    };
    [[nodiscard]] const std::vector<std::unique_ptr<Sent>>& sent_to(base::Rank rank) { return sent_[rank]; }

    struct Arrived {
        transport::Envelope envelope;
        bool taken = false;
        bool held = false;
        std::optional<transport::ClockName> acknowledged;  ///< what the sender has been told
    };
    [[nodiscard]] const Arrived& arrived(base::Rank source, std::uint64_t position) {
        return *incoming_[source].messages[position];
    }

    /// The receives that the rank shows.
    [[nodiscard]] std::vector<transport::PostedReceive> shown() const;
    [[nodiscard]] const std::vector<transport::Contribution>& own_contributions(base::CommId comm);
    unsigned contributions_read = 0;  ///< by the rank, others'
    /// How many ranks are to read each of these.
    [[nodiscard]] const std::vector<std::uint32_t>& own_readers(base::CommId comm);
    [[nodiscard]] bool own_disordered(base::CommId comm) { return record_of(rank(), comm).disordered; }

    /// All records of that type in the log, in order.
    template <typename Record>
    [[nodiscard]] std::vector<Record> logged() const {
        std::vector<Record> found;
        transport::LogReader reader({.bytes = std::span(log_).first(log_length_.load())});
        while (reader.next()) {
            Record record;
            if (reader.type() == Record::type && reader.read(record)) {
                found.push_back(std::move(record));
            }
        }
        return found;
    }

    // ---- RankPort ------------------------------------------------------------------------------------------------

    [[nodiscard]] const transport::RankDecision* decision(std::uint32_t index) const override;
    [[nodiscard]] std::span<const transport::RankTurn> turns() const override { return turns_; }
    [[nodiscard]] transport::LogRoom log_room() const override;
    [[nodiscard]] bool has_reached(base::Rank rank, std::uint32_t phase) const override;
    transport::ClockName publish(const clocks::Snapshot& snapshot) override;
    const clocks::Clock& clock_of(base::Rank publisher, transport::ClockName name) override;
    [[nodiscard]] clocks::Clock clock(transport::ClockName name) const override;
    [[nodiscard]] clocks::Snapshot snapshot(transport::ClockName name) const override;
    [[nodiscard]] bool is_known(transport::ClockName name, const clocks::Clock& clock) const override;
    transport::SentEnvelope send(base::Rank destination, const transport::Envelope& envelope) override;
    void withdraw(const transport::SentEnvelope& sent, bool synchronous) override;
    void note_cancelled(const transport::SentEnvelope& sent) override;
    [[nodiscard]] transport::SentState state_of(const transport::SentEnvelope& sent) const override;
    [[nodiscard]] transport::Acknowledgement acknowledgement(const transport::SentEnvelope& sent) const override;
    void forget(const transport::SentEnvelope& sent) override;
    std::optional<transport::Envelope> first_fitting(base::Rank source, base::CommId comm, base::Tag tag) override;
    std::optional<transport::Envelope> at(base::Rank source, std::uint64_t position) override;
    std::optional<transport::Envelope> first_open(base::Rank source, base::CommId comm, std::uint64_t from) override;
    [[nodiscard]] std::uint64_t found_position(base::Rank source) const override;
    void take(base::Rank source, bool synchronous, const transport::Acknowledgement& acknowledgement) override;
    transport::HeldEnvelope hold(base::Rank source) override;
    void release(const transport::HeldEnvelope& held, const transport::Acknowledgement& acknowledgement) override;
    void for_each_open(base::Rank source, const std::function<void(const transport::Envelope&)>& visit) const override;
    [[nodiscard]] std::vector<transport::Unreceived> unreceived() const override;
    std::uint64_t show_posted(const transport::PostedReceive& receive) override;
    void hide_posted(std::uint64_t shown) override;
    void for_each_posted(base::Rank rank, std::uint64_t most,
                         const std::function<bool(const transport::PostedReceive&)>& visit) const override;
    [[nodiscard]] bool looks_all_the_time(base::Rank rank) const override;
    transport::Token begin_record(base::CommId comm) override;
    void enter(transport::Token own, const transport::Contribution& contribution, std::uint64_t digest,
               std::uint32_t readers) override;
    void disorder(transport::Token own) override;
    [[nodiscard]] transport::Token find_record(base::Rank rank, base::CommId comm,
                                               transport::Token& searched) const override;
    [[nodiscard]] std::uint64_t entered(transport::Token record) const override;
    [[nodiscard]] bool is_disordered(transport::Token record) const override;
    std::optional<transport::Contribution> read(transport::Token record, std::uint64_t sequence) override;
    [[nodiscard]] std::optional<transport::Glance> glance(transport::Token record,
                                                          std::uint64_t sequence) const override;
    [[nodiscard]] std::optional<transport::Contribution> look(transport::Token record,
                                                              std::uint64_t sequence) const override;
    transport::Token make_list(std::uint64_t bytes) override;
    [[nodiscard]] void* list(transport::Token token) const override;
    transport::Token publish_group(std::span<const base::Rank> ranks) override;

private:
    struct Incoming {
        std::vector<std::unique_ptr<Arrived>> messages;
        std::map<base::CommId, std::uint64_t> numbers;
        std::size_t found = 0;
    };
    /// One rank's part in the collectives of one communicator; its token is its place in records_, from 1.
    struct Record {
        base::Rank rank = 0;
        base::CommId comm = 0;
        std::vector<transport::Contribution> contributions;
        std::vector<std::uint32_t> readers;  ///< only of this rank's
        bool disordered = false;
    };

    Record& record_of(base::Rank rank, base::CommId comm);
    Arrived& found(base::Rank source);

    std::vector<std::uint8_t> log_ = std::vector<std::uint8_t>(std::size_t{1} << 20);
    mutable std::atomic<std::uint64_t> log_length_{0};
    std::vector<transport::RankDecision> decisions_;
    std::deque<std::vector<std::uint32_t>> decided_positions_;
    std::vector<transport::RankTurn> turns_;
    std::deque<clocks::Clock> clocks_;  ///< by name, from 1
    mutable std::map<base::Rank, Incoming> incoming_;
    std::map<base::Rank, std::vector<std::unique_ptr<Sent>>> sent_;
    std::map<base::Rank, std::vector<transport::PostedReceive>> others_posted_;
    std::vector<std::optional<transport::PostedReceive>> shown_;
    std::map<base::Rank, bool> looking_;
    std::map<base::Rank, transport::Phase> phases_;
    std::deque<Record> records_;
    std::deque<std::vector<std::uint64_t>> lists_;
};

}  // namespace dampi::piggyback::distributed
