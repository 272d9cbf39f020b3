// Who learns from whom in a collective: the edges along which data really flows, as one rank sees them. A
// collective orders two ranks only where one's result depends on the other; where no data goes, no clock goes.
// Beside the edges stands what of the arguments must agree with those of the other ranks.
//
// The ranks of a communicator are named by their index in Communicator::records here: first the members of
// the (local) group, then those of an intercommunicator's remote group.
#pragma once

#include "piggyback/rank/communicators/communicators.hpp"
#include "transport/collective_operation.hpp"
#include "transport/shares.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback {

/// The neighbours in a process topology, by index; negative where there is none (MPI_PROC_NULL).
struct Neighbours {
    std::vector<int> in;
    std::vector<int> out;
    /// Cartesian: for each dimension the one below and the one above, and what goes to the one below comes to it from
    /// above, also where both are the same rank (MPI 4.0, section 8.6).
    bool on_grid = false;
};

/// An array of counts of either width; what it refers to belongs to the program. Null where the program gave none.
class Counts {
public:
    Counts() = default;
    Counts(const int* counts) : narrow_(counts) {}      // NOLINT(google-explicit-constructor): by overloading
    Counts(const MPI_Count* counts) : wide_(counts) {}  // NOLINT(google-explicit-constructor): likewise

    [[nodiscard]] bool null() const { return narrow_ == nullptr && wide_ == nullptr; }
    [[nodiscard]] MPI_Count operator[](std::size_t index) const {
        return wide_ == nullptr ? narrow_[index] : wide_[index];
    }
    [[nodiscard]] const void* address() const { return wide_ == nullptr ? static_cast<const void*>(narrow_) : wide_; }
    /// Of `entries` of them.
    [[nodiscard]] std::size_t bytes(std::size_t entries) const {
        return entries * (wide_ == nullptr ? sizeof *narrow_ : sizeof *wide_);
    }

private:
    const int* narrow_ = nullptr;
    const MPI_Count* wide_ = nullptr;
};

/// What a rank gives each other rank, and asks of it.
struct FlowShares {
    transport::Shares given;
    transport::Shares asked;
};

/// One rank's edges in one collective. Does not own the arrays it refers to.
struct Flow {
    enum class Sources : std::uint8_t { none, everyone, lower, one, listed };

    bool valid = true;                     ///< false: arguments that MPI refuses, so that nothing will happen
    Sources sources = Sources::none;       ///< whose clocks this rank learns
    int one = 0;                           ///< the only source
    std::span<const int> listed;           ///< the sources; entries may be negative or this rank itself
    Counts counts;                         ///< if set: only sources with data, by position among everyone or listed
    const MPI_Datatype* types = nullptr;   ///< with counts: where types differ between sources
    std::uint32_t readers = 0;             ///< edges from this rank to others
    base::Rank root = transport::no_root;  ///< world rank
    transport::Reduction reduction = transport::Reduction::unknown;
    std::uint64_t sent = transport::unknown_amount;      ///< as in Contribution
    std::uint64_t received = transport::unknown_amount;  ///< as in Contribution
    transport::TypedData sent_data{};                    ///< as in Contribution
    transport::TypedData received_data{};                ///< as in Contribution
    std::uint64_t arguments = 0;                         ///< as in Contribution
    std::shared_ptr<const FlowShares> shares;            ///< null: none, or too many
};

/// The edges of a request that outlives its call.
struct CollectiveEdges {
    Flow flow;
    std::vector<int> listed;
};

/// Whether `count` elements of `type` are any data at all. Negative counts are for MPI to complain about.
[[nodiscard]] bool has_data(MPI_Count count, MPI_Datatype type);

/// In the communicator's process topology; null when it has none.
[[nodiscard]] const Neighbours* neighbours_of(Communicator& communicator);

/// The flow of a reduction with this operator. In intercommunicators nothing says that it must agree everywhere.
[[nodiscard]] Flow with_operator(const Communicator& communicator, MPI_Op op, Flow flow);

[[nodiscard]] inline std::size_t all_ranks(const Communicator& communicator) {
    return communicator.members.size() + (communicator.inter ? communicator.peers.size() : 0);
}

[[nodiscard]] inline base::Rank world_rank(const Communicator& communicator, int index) {
    const auto i = static_cast<std::size_t>(index);
    const std::size_t members = communicator.members.size();
    return i < members ? communicator.members[i] : communicator.peers[i - members];
}

/// Calls `visit(index)` for each edge that leads to this rank.
template <typename Visit>
void for_each_source(const Communicator& communicator, const Flow& flow, Visit&& visit) {
    const auto flows = [&](std::size_t position) {
        return flow.counts.null() || (flow.types == nullptr ? flow.counts[position] != 0
                                                            : has_data(flow.counts[position], flow.types[position]));
    };
    switch (flow.sources) {
        case Flow::Sources::none:
            return;
        case Flow::Sources::one:
            visit(flow.one);
            return;
        case Flow::Sources::lower:
            for (int i = 0; i < communicator.rank; ++i) {
                visit(i);
            }
            return;
        case Flow::Sources::everyone: {
            const int offset = communicator.inter ? static_cast<int>(communicator.members.size()) : 0;
            for (std::size_t i = 0; i < communicator.peers.size(); ++i) {
                const int index = offset + static_cast<int>(i);
                if (index != communicator.rank && flows(i)) {
                    visit(index);
                }
            }
            return;
        }
        case Flow::Sources::listed:
            for (std::size_t i = 0; i < flow.listed.size(); ++i) {
                const int index = flow.listed[i];
                if (index >= 0 && index != communicator.rank && flows(i)) {
                    visit(index);
                }
            }
            return;
    }
}

/// Puts together Flow::arguments.
class ArgumentDigest {
public:
    ArgumentDigest& add(std::int64_t value) {
        value_ = (value_ ^ static_cast<std::uint64_t>(value)) * 0x9e37'79b9'7f4a'7c15;
        value_ ^= value_ >> 29;
        return *this;
    }
    ArgumentDigest& add(int count, const int* values) {
        add(count);
        for (int i = 0; values != nullptr && i < count; ++i) {
            add(values[i]);
        }
        return *this;
    }
    [[nodiscard]] std::uint64_t value() const { return value_ == 0 ? 1 : value_; }

private:
    std::uint64_t value_ = 0x243f'6a88'85a3'08d3;
};

/// Of what makes a topology, which all ranks must give alike. Of arguments that MPI refuses: anything.
[[nodiscard]] std::uint64_t cart_digest(int ndims, const int* dims, const int* periods, int reorder);
[[nodiscard]] std::uint64_t graph_digest(int nnodes, const int* index, const int* edges, int reorder);

/// A copy of the edges that owns what it refers to.
[[nodiscard]] std::shared_ptr<CollectiveEdges> keep_edges(const Communicator& communicator, const Flow& flow);

// ---- the edges of each kind of collective; parameters as in mpi.h ------------------------------------------

/// Everyone learns from everyone (in an intercommunicator: from the remote group).
[[nodiscard]] Flow everyone_to_everyone(const Communicator& communicator);

[[nodiscard]] Flow bcast_flow(const Communicator& communicator, MPI_Count count, MPI_Datatype type, int root);
[[nodiscard]] Flow scatter_flow(const Communicator& communicator, MPI_Count sendcount, MPI_Datatype sendtype,
                                MPI_Count recvcount, MPI_Datatype recvtype, int root);
[[nodiscard]] Flow scatterv_flow(const Communicator& communicator, Counts sendcounts, MPI_Datatype sendtype,
                                 MPI_Count recvcount, MPI_Datatype recvtype, int root);
[[nodiscard]] Flow gather_flow(const Communicator& communicator, MPI_Count sendcount, MPI_Datatype sendtype,
                               MPI_Count recvcount, MPI_Datatype recvtype, int root);
[[nodiscard]] Flow gatherv_flow(const Communicator& communicator, MPI_Count sendcount, MPI_Datatype sendtype,
                                Counts recvcounts, MPI_Datatype recvtype, int root);
[[nodiscard]] Flow reduce_flow(const Communicator& communicator, MPI_Count count, MPI_Datatype type, int root);
[[nodiscard]] Flow allreduce_flow(const Communicator& communicator, MPI_Count count, MPI_Datatype type);
[[nodiscard]] Flow allgatherv_flow(const Communicator& communicator, const void* sendbuf, MPI_Count sendcount,
                                   MPI_Datatype sendtype, Counts recvcounts, MPI_Datatype recvtype);
/// Also for alltoall: the same amount from and to everyone.
[[nodiscard]] Flow allgather_flow(const Communicator& communicator, const void* sendbuf, MPI_Count sendcount,
                                  MPI_Datatype sendtype, MPI_Count recvcount, MPI_Datatype recvtype);
[[nodiscard]] Flow alltoallv_flow(const Communicator& communicator, const void* sendbuf, Counts sendcounts,
                                  MPI_Datatype sendtype, Counts recvcounts, MPI_Datatype recvtype);
[[nodiscard]] Flow alltoallw_flow(const Communicator& communicator, const void* sendbuf, Counts sendcounts,
                                  const MPI_Datatype* sendtypes, Counts recvcounts, const MPI_Datatype* recvtypes);
[[nodiscard]] Flow reduce_scatter_block_flow(const Communicator& communicator, MPI_Count recvcount, MPI_Datatype type);
[[nodiscard]] Flow reduce_scatter_flow(const Communicator& communicator, Counts recvcounts, MPI_Datatype type);
/// For scan and exscan.
[[nodiscard]] Flow scan_flow(const Communicator& communicator, MPI_Count count, MPI_Datatype type);

/// Also for neighbor_alltoall.
[[nodiscard]] Flow neighbor_allgather_flow(Communicator& communicator, MPI_Count sendcount, MPI_Datatype sendtype,
                                           MPI_Count recvcount, MPI_Datatype recvtype);
[[nodiscard]] Flow neighbor_allgatherv_flow(Communicator& communicator, MPI_Count sendcount, MPI_Datatype sendtype,
                                            Counts recvcounts, MPI_Datatype recvtype);
[[nodiscard]] Flow neighbor_alltoallv_flow(Communicator& communicator, Counts sendcounts, MPI_Datatype sendtype,
                                           Counts recvcounts, MPI_Datatype recvtype);
[[nodiscard]] Flow neighbor_alltoallw_flow(Communicator& communicator, Counts sendcounts, const MPI_Datatype* sendtypes,
                                           Counts recvcounts, const MPI_Datatype* recvtypes);

}  // namespace dampi::piggyback
