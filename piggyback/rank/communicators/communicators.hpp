// The communicators of this rank: a name for each that is the same in all members and in all runs, the world
// ranks of its members, and the counters of what has been sent and called on it. Communicators that were
// made in ways the layer does not model are not known here, and what happens on them passes through.
#pragma once

#include "base/types.hpp"
#include "piggyback/rank/handle_map.hpp"
#include "transport/log.hpp"
#include "transport/words.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback {

struct Neighbours;

/// What this rank has given to its latest collective that all members wait for, without what is new in each.
struct UsualPart {
    transport::Contribution part;
    std::uint64_t digest = 0;  ///< transport::digest_of() it; 0: there was none
    bool agrees = false;  ///< with one that is just the same: ranks can do the same and still contradict each other
};

struct Communicator {
    MPI_Comm handle = MPI_COMM_NULL;
    base::CommId id = 0;
    bool inter = false;
    int rank = 0;                     ///< ours, in the (local) group
    std::vector<base::Rank> members;  ///< world ranks of the local group
    std::vector<base::Rank> peers;    ///< whom ranks in point-to-point calls mean: the remote group of an
                                      ///< intercommunicator, else the members
    std::vector<std::uint64_t> sent;  ///< messages sent to each peer
    std::uint64_t collectives = 0;    ///< collectives begun here; the sequence number of the next
    std::uint64_t site = 0;           ///< where it was made; 0 for the predefined ones
    const char* made_by = "";         ///< the function that made it
    std::uint32_t stack = transport::EpochPostedRecord::no_stack;  ///< from which: CallStacks::number_of_few()
    /// Where each member's (then each remote peer's) record of its collectives is (RankPort::find_record), once known.
    std::vector<transport::Token> records;
    UsualPart usual;
    std::set<std::uint64_t> mismatched_sites;      ///< calls of this rank that a mismatch has been logged for
    bool uneven = false;                           ///< a rank gave another amount of data than this one
    bool apart = false;                            ///< made by stand_apart(): who does not match has been seen before
    bool disordered = false;                       ///< MPI has refused a collective that this rank had entered
    std::string name;                              ///< for people: "MPI_Comm_split of MPI_COMM_WORLD #1"
    std::string given_name;                        ///< as MPI_Comm_get_name says: by the program, or MPI's default
    std::uint64_t children = 0;                    ///< communicators made from this one by collective calls on it
    std::shared_ptr<const Neighbours> neighbours;  ///< in its process topology, once asked for
    /// Where its peers, and all its ranks, have been written down for dampi-run (RankPort::publish_group); 0: nowhere
    /// yet.
    transport::Token published_peers = 0;
    transport::Token published_everyone = 0;

    /// The world rank that `rank` means in a point-to-point call.
    [[nodiscard]] base::Rank peer(int rank) const { return peers[static_cast<std::size_t>(rank)]; }

    /// The inverse: what to call a world rank in a point-to-point call; MPI_UNDEFINED when it is no peer.
    [[nodiscard]] int rank_of(base::Rank world) const {
        const auto found = std::find(peers.begin(), peers.end(), world);
        return found == peers.end() ? MPI_UNDEFINED : static_cast<int>(found - peers.begin());
    }
};

class Communicators {
public:
    /// All processes of the program, by their ranks in MPI_COMM_WORLD, which need not exist in a program that only has
    /// sessions. To be known before any communicator is added; the group now belongs to this object.
    void begin(MPI_Group world) { world_ = world; }

    /// Before MPI ends.
    void end() {
        if (world_ != MPI_GROUP_NULL) {
            PMPI_Group_free(&world_);
        }
    }

    /// World ranks of a group's members; empty when it is no valid group or one of them is not in the world.
    [[nodiscard]] std::vector<base::Rank> world_ranks(MPI_Group group) const;

    /// After MPI_Init: registers MPI_COMM_WORLD and MPI_COMM_SELF.
    void add_predefined(int world_rank, int world_size);

    /// Null for a communicator that the layer does not know (or an invalid handle).
    [[nodiscard]] Communicator* find(MPI_Comm handle) {
        if (handle == last_handle_) {
            return last_;
        }
        std::unique_ptr<Communicator>* found = by_handle_.find(handle);
        if (found == nullptr) {
            return nullptr;
        }
        last_handle_ = handle;
        last_ = found->get();
        return last_;
    }

    /// Likewise, writing nothing.
    [[nodiscard]] const Communicator* look_up(MPI_Comm handle) {
        const std::unique_ptr<Communicator>* found = by_handle_.find(handle);
        return found == nullptr ? nullptr : found->get();
    }

    /// The communicator with this id; null if there is none. Looks through all of them.
    [[nodiscard]] Communicator* find_id(base::CommId id) {
        Communicator* found = nullptr;
        for_each([&](Communicator& communicator) { found = communicator.id == id ? &communicator : found; });
        return found;
    }

    /// Registers a new communicator under the id, asking MPI for its groups. Null when a member is not in
    /// the world. Members must all use the same id; see creation.cpp for how ids are made.
    Communicator* add(MPI_Comm handle, base::CommId id, const char* made_by, std::uint64_t site);

    /// Registers a duplicate of `original` that MPI may still be making, so that it cannot be asked.
    Communicator* add_duplicate(MPI_Comm handle, const Communicator& original, const char* made_by, std::uint64_t site);

    /// Registers one of which all is known, with the centralized engine.
    Communicator* adopt(std::unique_ptr<Communicator> made) {
        const MPI_Comm handle = made->handle;
        made->sent.resize(made->peers.size());
        remove(handle);
        return by_handle_.insert(handle, std::move(made)).get();
    }

    /// The program has freed or disconnected it. `keep_alive`: operations on it are not over yet, so that
    /// references to the object must stay valid.
    void remove(MPI_Comm handle, bool keep_alive = false);

    /// A number of its own for each use of one key, starting at 0: for constructors that are not collective
    /// over a parent communicator. All who use the same key in the same order get the same numbers.
    std::uint64_t next_use(std::uint64_t key) { return uses_[key]++; }

    /// All that the program made and has not freed.
    template <typename Visit>
    void for_each(Visit&& visit) {
        by_handle_.for_each([&](int, std::unique_ptr<Communicator>& communicator) { visit(*communicator); });
    }

private:
    HandleMap<std::unique_ptr<Communicator>> by_handle_;
    std::vector<std::unique_ptr<Communicator>> kept_alive_;
    MPI_Comm last_handle_ = MPI_COMM_NULL;
    Communicator* last_ = nullptr;
    std::map<std::uint64_t, std::uint64_t> uses_;
    MPI_Group world_ = MPI_GROUP_NULL;
};

}  // namespace dampi::piggyback
