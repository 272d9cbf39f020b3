// The state of the layer in one rank. Exists from the moment the library is loaded under dampi-run until the
// process ends, and is active between MPI_Init and MPI_Finalize. The layer records facts and obeys
// decisions; it chooses nothing.
//
// All of it is used by one thread at a time (Call sees to that when the program runs several).
#pragma once

#include "clocks/buffered_messages.hpp"
#include "clocks/lazy_clocks.hpp"
#include "clocks/pending_receives.hpp"
#include "piggyback/distributed/completion/cancelling.hpp"
#include "piggyback/distributed/files/files.hpp"
#include "piggyback/distributed/one_sided/windows.hpp"
#include "piggyback/rank/communicators/communicators.hpp"
#include "piggyback/rank/context/brackets.hpp"
#include "piggyback/rank/context/call_stacks.hpp"
#include "piggyback/rank/context/follow_up.hpp"
#include "piggyback/rank/requests.hpp"
#include "piggyback/rank/resources/resources.hpp"
#include "piggyback/rank/threads/threads.hpp"
#include "replay/buffering.hpp"
#include "replay/piggyback.hpp"
#include "transport/memory/area.hpp"
#include "transport/memory/clock_store.hpp"
#include "transport/memory/envelope_queue.hpp"
#include "transport/memory/log.hpp"
#include "transport/memory/slab.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace dampi::piggyback {

class Call;

/// One more, in a counter that only this rank writes (and one thread at a time).
inline void count_up(std::atomic<std::uint64_t>& counter) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

/// What is kept with a receive that is not known to have matched.
struct PendingReceive {
    MPI_Request handle = MPI_REQUEST_NULL;  ///< MPI's request for it; asks whether it has matched
    const Posting* posting = nullptr;
    std::uint64_t slot = 0;                        ///< its PostedSlot
    std::optional<TakenMessage>* taken = nullptr;  ///< where it is to be written what it took, if nobody has asked
    Communicator* communicator = nullptr;
};

/// What the layer keeps of a message that the program may already overwrite.
struct SentCopy {
    MPI_Request handle = MPI_REQUEST_NULL;
    std::unique_ptr<char[]> data;
};

class Layer {
public:
    Layer(transport::memory::Area shared, base::Rank own_rank);

    /// Null in a process that dampi-run did not start.
    static Layer* current() noexcept { return current_; }

    /// Whether MPI is initialised and not yet finalized, as the program sees it.
    [[nodiscard]] bool active() const noexcept { return active_; }
    void set_active(bool active) noexcept { active_ = active; }

    [[nodiscard]] transport::memory::RankHeader& header() const noexcept { return header_; }
    [[nodiscard]] base::Rank rank() const noexcept { return rank_; }
    [[nodiscard]] int size() const noexcept { return static_cast<int>(area.processes()); }

    /// Notes the time.
    void note(transport::memory::Moment moment) noexcept;

    /// Counts a call of a function, or the use of a feature, that passes through without a model.
    void count_not_modelled(const char* name) noexcept;

    /// Writes a violation to the log.
    void record_violation(const std::string& kind, const std::string& message, const Call& call,
                          const std::string& detail = "");
    void record_violation(const std::string& kind, const std::string& message, const char* function,
                          std::uint64_t site);

    /// The same for something that is no violation.
    void record_note(const std::string& kind, const std::string& message, const char* function, std::uint64_t site);

    transport::memory::Area area;
    transport::memory::Slab slab;
    transport::memory::LogWriter log;
    std::vector<transport::memory::EnvelopeWriter> outgoing;  ///< by destination
    std::vector<transport::memory::EnvelopeReader> incoming;  ///< by source
    clocks::LazyClocks clocks;
    clocks::PendingReceives<PendingReceive> pending;
    std::vector<std::uint64_t> free_posted;  ///< PostedSlots to use again
    transport::memory::PublishedClocks others_clocks;
    bool diverged = false;  ///< met another operation than decided: left to itself
    Communicators communicators;
    Windows windows;
    Files files;
    Requests requests;
    Threads threads;
    std::vector<CancelledReceive> cancelled;
    Resources resources;
    // where in the course of the program it is, for the epochs' contexts
    std::uint32_t zone = 0;  ///< collectives of all ranks that this one has entered
    Brackets brackets;
    const bool record_stacks;  ///< call stacks and follow-ups are asked for
    CallStacks call_stacks;
    FollowUp follow_up;
    struct LongWaits {
        transport::memory::Offset items = 0;
        std::size_t capacity = 0;
    };
    LongWaits long_waits;                      ///< for waits of more items than fit where they are published
    bool in_epilogue = false;                  ///< dampi-run has ended this run
    bool locks_calls = false;                  ///< several threads may call MPI at once: each call takes the lock
    bool multithreaded = false;                ///< several threads have called MPI
    const replay::Buffering::Kind buffering;   ///< of standard-mode sends
    const std::uint64_t rendezvous_threshold;  ///< bytes from which on the library lets a send wait for its receive
    const bool marks_doubtful;                 ///< there may be an order that clocks do not know of
    clocks::BufferedMessages buffered;         ///< those that may lie in the attached buffer
    std::uint64_t attached = 0;                ///< bytes of that
    const replay::Piggyback piggyback;         ///< that this run is to have
    std::vector<SentCopy> sent_copies;         ///< that are not known to have been received
    const std::uint64_t free_seed;             ///< for matches that nothing decides; 0: they are MPI's
    const bool crowded;                        ///< more ranks than cores
    unsigned spins;                            ///< fruitless looks before a blocked rank yields its core
    bool unmodelled_calls = false;             ///< the program has made some: there may be receives that nobody knows
    std::set<std::pair<std::uint64_t, std::string>> noted_errors;  ///< by place and kind

private:
    friend bool attach_rank(const char* path);
    static inline Layer* current_ = nullptr;

    base::Rank rank_;
    transport::memory::RankHeader& header_;
    bool active_ = false;
};

/// Creates the layer if dampi-run started this process as a rank of the run whose memory is at `path` (null: none):
/// when the library is loaded, in a prepared process after the fork, in a late start at the first call of MPI. Whether
/// it did.
bool attach_rank(const char* path);

/// Only in the centralized engine's library: what attach_rank() does besides, as the last thing. Throws dampi::Error.
__attribute__((weak)) void attach_engine();

/// The same: initialises the MPI library in a process that is no rank yet, as the call of `function` asks for. Whether
/// that succeeded.
__attribute__((weak)) bool initialise_alone(const char* function, const void* arguments) noexcept;

}  // namespace dampi::piggyback
