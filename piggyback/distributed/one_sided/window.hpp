// The windows of this rank: who is in each, and how far its synchronisation has come. Windows on communicators that the
// layer does not know are not here, and what happens on them passes through.
#pragma once

#include "base/types.hpp"
#include "piggyback/distributed/one_sided/access_list.hpp"
#include "piggyback/distributed/one_sided/entry_moments.hpp"
#include "piggyback/distributed/one_sided/hearsay.hpp"
#include "piggyback/rank/communicators/communicators.hpp"
#include "piggyback/rank/handle_map.hpp"
#include "transport/board.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::distributed {

/// What one member of a window tells the others, in the order in which it does (signals.hpp). Each is about a member of
/// the window: the one that it is for, or whose memory it is about.
enum class Signal : std::uint8_t {
    post,              ///< MPI_Win_post: that member may access this rank's memory
    complete,          ///< MPI_Win_complete: this rank will no longer access that member's
    exclusive_unlock,  ///< MPI_Win_unlock: likewise
    shared_unlock,
    exclusive_lock,  ///< that member's memory is locked: for finding locks whose order is left to chance
    shared_lock,
    exposed,          ///< its own memory is from now on, in the exposure that is the value; 0: not any more
    no_put_fenced,    ///< from its fence on, whose number is its value, nobody will write into its memory
    no_put_exposed,   ///< likewise in the exposure that is its value
    unchecked,        ///< in the exposure that is its value, all who start say that they need not wait for it
    bytes_accessed,   ///< its value says where the list of accesses to that member's memory lies: for finding conflicts
    memory_attached,  ///< likewise where the list of its own memory that is attached lies (attached_memory.hpp)
};

/// What a member has given for a window.
struct Memory {
    MPI_Aint unit = 1;          ///< the bytes that displacements in it count
    MPI_Aint size = not_known;  ///< in bytes
    static constexpr MPI_Aint not_known = -1;
};

struct Window {
    /// Index of the member that a signal is about if it is about all.
    static constexpr int everyone = -1;

    /// A stand-in with the members, on which the window's own collectives meet.
    std::shared_ptr<Communicator> group;
    /// Counts the collectives that synchronise all members since the window was made. Two calls in different phases
    /// are ordered.
    std::uint64_t phase = 0;

    std::uint64_t phase_began = 0;         ///< by Hearsay's moments
    std::uint64_t before_phase_began = 0;  ///< when the phase before it began
    std::uint64_t epoch_began = 0;         ///< likewise: this rank's latest by a fence or MPI_Win_start
    /// In which phase this rank has last held a lock of its own memory, an exclusive one, called MPI_Win_sync, or read
    /// there without an access, as far as that is seen.
    struct {
        std::optional<std::uint64_t> read;
        std::optional<std::uint64_t> locked;
        std::optional<std::uint64_t> locked_exclusively;
        std::optional<std::uint64_t> synchronised;
    } own_memory_in = {};

    /// The latest phase, and exposure, in which this rank was outside of MPI with several threads, of which nobody sees
    /// what they load and store in its memory.
    struct {
        std::optional<std::uint64_t> phase;
        std::uint64_t exposure = 0;
    } unseen_in = {};

    /// How many calls of MPI this rank had made when the phase began, and how many of those since then lock and unlock
    /// the window.
    std::uint64_t calls_before_phase = 0;
    std::uint64_t lock_calls = 0;
    /// With ThreadSanitizer: accesses to this rank's memory that it was told of in this phase: whose, and the mark of
    /// their end.
    std::set<std::pair<int, std::uint64_t>> told;

    AccessCall made_by;
    const void* own_memory = nullptr;  ///< what this rank has given for it, or MPI has made; null: nothing
    bool is_dynamic = false;
    std::map<const void*, MPI_Aint> attached;  ///< memory that this rank has attached, with its size
    ToldList attached_told;

    std::uint64_t fences = 0;  ///< that this rank has called
    AccessCall fenced_by;      ///< the last fence; nothing if it has said that no access follows
    AccessCall fence_access;   ///< the last access since then, which a fence must end
    AccessCall own_store;      ///< a store of this rank in its memory since it has last synchronised, as far as seen
    bool has_synchronised = false;  ///< this rank, since the window was made: what it stored before nobody asks for
    AccessCall started_by;
    AccessCall posted_by;
    bool accessing = false;       ///< between MPI_Win_start and MPI_Win_complete
    bool exposed = false;         ///< between MPI_Win_post and the end of MPI_Win_wait
    std::vector<int> targets;     ///< of MPI_Win_start: other members
    std::vector<int> origins;     ///< of MPI_Win_post: other members
    std::uint64_t exposures = 0;  ///< calls of MPI_Win_post; its signals say the number of theirs
    struct Lock {
        Signal kind = Signal::shared_lock;
        std::uint32_t end = 0;  ///< its number (clocks/marks.hpp)
        bool excludes = true;   ///< not with MPI_MODE_NOCHECK, with which the program sees to that
        AccessCall call = {};   ///< that has locked
    };
    std::map<int, Lock> locks;  ///< that this rank holds, by target

    struct Given {
        transport::Token record = 0;
        std::uint64_t count = 0;
    };
    struct Heard {
        transport::Token record = 0;
        transport::Token searched = 0;
        std::uint64_t count = 0;  ///< that have been taken in
        std::uint64_t value = 0;  ///< of the latest of these
        bool named = false;
    };
    /// By channel: this rank's signals, and those of others.
    std::unordered_map<base::CommId, Given> given;
    std::unordered_map<base::CommId, Heard> heard;
    /// By member and kind the last phase in which this rank has told the others of a lock of whose end they will not
    /// know, so that there is no need to tell of another one.
    std::map<std::pair<int, Signal>, std::uint64_t> announced;

    std::vector<Memory> memories;                  ///< by member
    std::unordered_map<int, AccessList> accesses;  ///< this rank's, by target (conflicts.hpp)

    std::vector<OriginBuffer> read_buffers;  ///< of accesses that are not complete (origin_buffers.hpp)
    std::vector<OriginBuffer> filled_buffers;

    /// The same memory as bytes from the beginning of this rank's own in the window; nothing where it does not lie
    /// within that. `memory`: at addresses.
    [[nodiscard]] std::optional<Blocks> in_own_memory(Blocks memory) const {
        const MPI_Aint size = memories[static_cast<std::size_t>(group->rank)].size;
        memory.begin -= reinterpret_cast<std::intptr_t>(own_memory);
        const bool within =
            own_memory != nullptr && size != Memory::not_known && memory.begin >= 0 && memory.end() <= size;
        return within ? std::optional(memory) : std::nullopt;
    }

    /// This rank synchronises: its stores from here on count.
    void begin_own_stores() {
        own_store = {};
        has_synchronised = true;
    }

    /// Null where it holds none of this member's memory.
    [[nodiscard]] const Lock* lock_of(int target) const {
        auto found = locks.find(target);
        found = found == locks.end() ? locks.find(everyone) : found;
        return found == locks.end() ? nullptr : &found->second;
    }

    /// Whether an epoch is open in which MPI refuses those that begin by a collective.
    [[nodiscard]] bool in_epoch() const { return accessing || exposed || !locks.empty(); }
};

class Windows {
public:
    /// `began`: by Hearsay's moments, when this rank had not entered the call that has made it.
    Window& add(MPI_Win handle, std::shared_ptr<Communicator> group, std::vector<Memory> memories,
                std::uint64_t began) {
        auto window = std::make_unique<Window>();
        window->group = std::move(group);
        window->memories = std::move(memories);
        window->before_phase_began = began;
        window->phase_began = hearsay.now();
        by_handle_.erase(handle);
        Window& added = *window;
        by_handle_.insert(handle, std::move(window));
        return added;
    }
    void remove(MPI_Win handle) { by_handle_.erase(handle); }

    /// Null for a window that the layer does not know.
    [[nodiscard]] Window* find(MPI_Win handle) {
        std::unique_ptr<Window>* found = by_handle_.find(handle);
        return found == nullptr ? nullptr : found->get();
    }

    [[nodiscard]] bool empty() const { return by_handle_.size() == 0; }

    /// Calls `visit(Window)` for those whose members are all in the communicator. `processes`: of the job.
    template <typename Visit>
    void for_each_covered(const Communicator& communicator, int processes, Visit&& visit) {
        const bool all_ranks = communicator.members.size() == static_cast<std::size_t>(processes);
        by_handle_.for_each([&](int, std::unique_ptr<Window>& window) {
            if (all_ranks || window->group->members == communicator.members) {
                visit(*window);
            }
        });
    }

    /// This rank has left a collective that no member of the communicator leaves before all have entered it: a new
    /// phase of the windows whose members are all in it. Calls `visit(Window)` for these.
    template <typename Visit>
    void synchronised(const Communicator& communicator, int processes, Visit&& visit) {
        for_each_covered(communicator, processes, [&](Window& window) {
            ++window.phase;
            window.before_phase_began = window.phase_began;
            window.phase_began = hearsay.now();
            visit(window);
        });
    }

    template <typename Visit>
    void for_each(Visit&& visit) {
        by_handle_.for_each([&](int, std::unique_ptr<Window>& window) { visit(*window); });
    }

    /// By datatype, since they take time to find.
    Hearsay hearsay;
    EntryMoments moments;           ///< with ThreadSanitizer
    bool shares_memory = false;     ///< of some window ranks may read and write each other's memory without MPI
    std::uint32_t clocks_told = 0;  ///< of accesses (Access::clock)
    bool phases_are_known = true;   ///< not behind a collective that was refused in this rank alone, perhaps
    /// Recorded: the target, the place of this rank's access, the rank and the place of the other one.
    std::set<std::tuple<base::Rank, std::uint64_t, base::Rank, std::uint64_t>> races;

private:
    HandleMap<std::unique_ptr<Window>> by_handle_;
};

}  // namespace dampi::piggyback::distributed
