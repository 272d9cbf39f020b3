// The seam between a rank and everybody else: all that a rank may write where another rank or dampi-run reads, and all
// that it may read of them. Terms are those of the run: envelopes, acknowledgements, clocks, posted receives, parts in
// collectives, decisions. What a call means for matching and clocks is the rank's matter (piggyback); where things lie
// is the transport's. Implementations: memory/memory_port.hpp (ranks that share memory with dampi-run), a fake for
// tests.
//
// One thread at a time uses a port. Nothing here waits: what has not come yet is not there yet.
#pragma once

#include "base/types.hpp"
#include "clocks/clock.hpp"
#include "clocks/snapshot.hpp"
#include "transport/board.hpp"
#include "transport/run_terms.hpp"
#include "transport/words.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace dampi::transport {

class RankPort {
public:
    /// What a rank looks at all the time. It lies in the rank's memory, whoever writes it, so that nothing has to be
    /// called to read it.
    struct InMemory {
        base::Rank rank;
        const RunTerms& terms;
        Board& board;
        const std::atomic<std::uint32_t>& settle_round;
        const std::atomic<std::uint32_t>& unacknowledged;
    };

    explicit RankPort(const InMemory& in_memory) : in_memory_(in_memory) {}
    virtual ~RankPort() = default;
    RankPort(const RankPort&) = delete;
    RankPort& operator=(const RankPort&) = delete;

    // ---- the run -------------------------------------------------------------------------------------------------

    [[nodiscard]] base::Rank rank() const { return in_memory_.rank; }
    [[nodiscard]] std::uint32_t processes() const { return terms().processes; }
    [[nodiscard]] clocks::Protocol protocol() const { return static_cast<clocks::Protocol>(terms().protocol); }
    /// What is decided for this rank's epoch; null for nothing. It stays.
    [[nodiscard]] virtual const RankDecision* decision(std::uint32_t index) const = 0;
    /// The order of this rank's threads, as far as it is decided.
    [[nodiscard]] virtual std::span<const RankTurn> turns() const = 0;

    /// How the run is to be, for all ranks.
    [[nodiscard]] const RunTerms& terms() const { return in_memory_.terms; }
    /// Where the terms say that time is virtual: up to when dampi-run lets the rank sleep no longer.
    [[nodiscard]] VirtualTime granted() const { return board().granted.load(std::memory_order_acquire); }
    /// Likewise: how much has passed for this rank.
    [[nodiscard]] VirtualTime passed() const { return board().passed.load(std::memory_order_relaxed); }

    // ---- what this rank shows of itself ---------------------------------------------------------------------------

    /// Where it stands: only this rank writes it, and dampi-run reads it at any time.
    [[nodiscard]] Board& board() const { return in_memory_.board; }
    /// Room for its log (log.hpp), of which what has been written survives its death.
    [[nodiscard]] virtual LogRoom log_room() const = 0;
    /// Whether another rank has come to that phase (transport::Phase) or beyond.
    [[nodiscard]] virtual bool has_reached(base::Rank rank, std::uint32_t phase) const = 0;

    // ---- clocks --------------------------------------------------------------------------------------------------

    /// The name under which others can read the clock, which is published once; 0 for none.
    virtual ClockName publish(const clocks::Snapshot& snapshot) = 0;
    /// What another rank has published; valid until the next call for this publisher.
    virtual const clocks::Clock& clock_of(base::Rank publisher, ClockName name) = 0;
    /// Likewise, whoever has published it.
    [[nodiscard]] virtual clocks::Clock clock(ClockName name) const = 0;
    /// As a snapshot that keeps its name, so that nobody publishes it again; null for 0.
    [[nodiscard]] virtual clocks::Snapshot snapshot(ClockName name) const = 0;
    /// Whether all of it is known in `clock`.
    [[nodiscard]] virtual bool is_known(ClockName name, const clocks::Clock& clock) const = 0;

    // ---- messages that this rank sends ---------------------------------------------------------------------------

    /// Before the message is handed to MPI. One that is sent synchronously is kept until forget().
    virtual SentEnvelope send(base::Rank destination, const Envelope& envelope) = 0;
    /// MPI has refused the message.
    virtual void withdraw(const SentEnvelope& sent, bool synchronous) = 0;
    /// This rank has asked MPI to cancel the message; only noted if nobody has taken it.
    virtual void note_cancelled(const SentEnvelope& sent) = 0;
    [[nodiscard]] virtual SentState state_of(const SentEnvelope& sent) const = 0;
    /// Of one that is taken: what its receiver knew of the match.
    [[nodiscard]] virtual Acknowledgement acknowledgement(const SentEnvelope& sent) const = 0;
    /// Nobody will ask any more what has become of it, which was sent synchronously.
    virtual void forget(const SentEnvelope& sent) = 0;

    // ---- messages to this rank -----------------------------------------------------------------------------------

    /// The first envelope from `source` that is not taken, has this communicator and fits `tag` (any_tag fits all).
    virtual std::optional<Envelope> first_fitting(base::Rank source, base::CommId comm, base::Tag tag) = 0;
    /// The one at this position among all from there (SentEnvelope::position), if it is not taken.
    virtual std::optional<Envelope> at(base::Rank source, std::uint64_t position) = 0;
    /// The first that is not taken, has this communicator and a number of at least `from`. It is not found for take().
    virtual std::optional<Envelope> first_open(base::Rank source, base::CommId comm, std::uint64_t from) = 0;
    /// Of the envelope from `source` that first_fitting() has found last.
    [[nodiscard]] virtual std::uint64_t found_position(base::Rank source) const = 0;
    /// Takes the envelope from `source` that first_fitting() or at() has found last, and tells the sender
    /// `acknowledgement` if it was `synchronous`.
    virtual void take(base::Rank source, bool synchronous, const Acknowledgement& acknowledgement) = 0;
    /// Takes it for a matched probe: its sender, which waits for the receive, is told by release().
    virtual HeldEnvelope hold(base::Rank source) = 0;
    virtual void release(const HeldEnvelope& held, const Acknowledgement& acknowledgement) = 0;
    /// All from `source` that are sent and not taken, in sending order.
    virtual void for_each_open(base::Rank source, const std::function<void(const Envelope&)>& visit) const = 0;
    /// Those to this rank that nobody will receive, as far as is known now.
    [[nodiscard]] virtual std::vector<Unreceived> unreceived() const = 0;
    /// Whether senders of synchronous messages to this rank wait to be told.
    [[nodiscard]] bool is_awaited() const { return in_memory_.unacknowledged.load(std::memory_order_acquire) != 0; }

    // ---- receives that are posted --------------------------------------------------------------------------------

    /// Shows a receive of this rank until it is hidden; returns by what.
    virtual std::uint64_t show_posted(const PostedReceive& receive) = 0;
    virtual void hide_posted(std::uint64_t shown) = 0;
    /// Those that another rank shows, while it may change them: each as it was at some moment, or left out. At most
    /// `most` places are looked at. Ends when `visit` answers false.
    virtual void for_each_posted(base::Rank rank, std::uint64_t most,
                                 const std::function<bool(const PostedReceive&)>& visit) const = 0;
    /// Whether another rank is blocked in a loop of its layer's, where it looks for what has come all the time.
    [[nodiscard]] virtual bool looks_all_the_time(base::Rank rank) const = 0;

    // ---- collectives ---------------------------------------------------------------------------------------------

    /// Begins this rank's record of a communicator, of which it has none.
    virtual Token begin_record(base::CommId comm) = 0;
    /// Enters the next collective of an own record. `readers` calls of read() are to come from other ranks. `digest` is
    /// for glance(); 0: whoever wants to know has to read it.
    virtual void enter(Token own, const Contribution& contribution, std::uint64_t digest, std::uint32_t readers) = 0;
    /// MPI has refused a collective that had been entered: this record's numbers are off from here on.
    virtual void disorder(Token own) = 0;
    /// Another rank's record; 0 while it has none. `searched` (0 at first, one for each record) makes it cheap to ask
    /// again.
    [[nodiscard]] virtual Token find_record(base::Rank rank, base::CommId comm, Token& searched) const = 0;
    /// How many collectives that rank has entered.
    [[nodiscard]] virtual std::uint64_t entered(Token record) const = 0;
    [[nodiscard]] virtual bool is_disordered(Token record) const = 0;
    /// A contribution that has been entered, for one of its readers; nothing when it is gone, which only happens when
    /// the writer did not count this reader.
    virtual std::optional<Contribution> read(Token record, std::uint64_t sequence) = 0;
    /// What can be seen at a glance of one that has been entered with a digest; nothing for others, or when its rank is
    /// three or more ahead. Much cheaper than reading it, and no reader's claim is given up.
    [[nodiscard]] virtual std::optional<Glance> glance(Token record, std::uint64_t sequence) const = 0;
    /// As read(), for somebody who is no reader.
    [[nodiscard]] virtual std::optional<Contribution> look(Token record, std::uint64_t sequence) const = 0;

    // ---- lists and groups ----------------------------------------------------------------------------------------

    /// Room for a list of up to `bytes`, zero at first, that this rank writes while others read it: they find it by the
    /// token. It stays.
    virtual Token make_list(std::uint64_t bytes) = 0;
    [[nodiscard]] virtual void* list(Token token) const = 0;
    /// Writes down who is in a group (of ranks that a wait may be for), once; the token stays.
    virtual Token publish_group(std::span<const base::Rank> ranks) = 0;

    // ---- how the run ends ----------------------------------------------------------------------------------------

    /// dampi-run asks blocked ranks to confirm that they are: the round that it asks in.
    [[nodiscard]] std::uint32_t settle_round() const { return in_memory_.settle_round.load(std::memory_order_acquire); }

private:
    const InMemory in_memory_;
};

}  // namespace dampi::transport
