// What the distributed engine's ranks keep beside what every rank does: the messages on their way, the clocks, the
// receives that are not known to have matched, and what of the run's decisions has been met. Data only; what is done
// with it stands in the folders beside this file.
#pragma once

#include "base/types.hpp"
#include "clocks/buffered_messages.hpp"
#include "clocks/lazy_clocks.hpp"
#include "clocks/pending_receives.hpp"
#include "piggyback/distributed/collectives/shown_shares.hpp"
#include "piggyback/distributed/files/open_files.hpp"
#include "piggyback/distributed/one_sided/window.hpp"
#include "piggyback/rank/layer.hpp"
#include "replay/buffering.hpp"
#include "replay/piggyback.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::distributed {

/// What is kept with a receive that is not known to have matched.
struct PendingReceive {
    MPI_Request handle = MPI_REQUEST_NULL;  ///< MPI's request for it; asks whether it has matched
    const Posting* posting = nullptr;
    std::uint64_t shown = 0;                       ///< RankPort::show_posted()
    std::optional<TakenMessage>* taken = nullptr;  ///< where it is to be written what it took, if nobody has asked
    Communicator* communicator = nullptr;
};

/// What the layer keeps of a message that the program may already overwrite.
struct SentCopy {
    MPI_Request handle = MPI_REQUEST_NULL;
    std::unique_ptr<char[]> data;
};

/// A receive that was cancelled in time.
struct CancelledReceive {
    base::ReceiveSpec spec;
    base::PostingOrder order = 0;
    std::uint32_t epoch = 0;
    clocks::Snapshot after;  ///< what the program knew when it was told
};

/// Data of a message that may not agree with what its receive asks for.
struct DifferingData {
    base::Rank source = 0;
    std::uint64_t send_site = 0;
    std::uint64_t receive_site = 0;
    transport::TypedData sent;
    transport::TypedData received;

    auto operator<=>(const DifferingData&) const = default;
};

/// Where the program's threads stand in the order in which they issue operations (turns.hpp).
struct ThreadTurns {
    replay::ThreadName latest = replay::main_thread;  ///< who has issued the latest operation
    std::uint64_t operations = 0;
    // where in the order to follow
    std::uint64_t turn = 0;
    std::uint64_t before_turn = 0;  ///< operations of the turns before
};

class DistributedLayer final : public Layer {
public:
    explicit DistributedLayer(transport::RankPort& own_port);

    /// Null in a process that dampi-run did not start.
    static DistributedLayer* current() noexcept { return static_cast<DistributedLayer*>(Core::current()); }

    clocks::LazyClocks clocks;
    clocks::PendingReceives<PendingReceive> pending;
    bool diverged = false;  ///< met another operation than decided: left to itself
    ThreadTurns turns;
    Windows windows;
    std::unique_ptr<UseListener> window_uses;  ///< null until there is a window
    Files files;
    ShownShares shown_shares;
    std::vector<CancelledReceive> cancelled;
    struct LongWaits {
        transport::Token items = 0;
        std::size_t capacity = 0;
    };
    LongWaits long_waits;                      ///< for waits of more items than fit where they are published
    bool in_epilogue = false;                  ///< dampi-run has ended this run
    const replay::Buffering::Kind buffering;   ///< of standard-mode sends
    const std::uint64_t rendezvous_threshold;  ///< bytes from which on the library lets a send wait for its receive
    const bool marks_doubtful;                 ///< there may be an order that clocks do not know of
    clocks::BufferedMessages buffered;         ///< those that may lie in the attached buffer
    std::uint64_t attached = 0;                ///< bytes of that
    const replay::Piggyback piggyback;         ///< that this run is to have
    std::vector<SentCopy> sent_copies;         ///< that are not known to have been received
    static constexpr std::size_t most_differences = 4096;
    std::set<DifferingData> differences;  ///< that are recorded
    const std::uint64_t free_seed;        ///< for matches that nothing decides; 0: they are MPI's
};

}  // namespace dampi::piggyback::distributed
