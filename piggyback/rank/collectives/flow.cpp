#include "piggyback/rank/collectives/flow.hpp"

#include "piggyback/rank/errors/errors.hpp"

#include <algorithm>

namespace dampi::piggyback {
namespace {

using Sources = Flow::Sources;

/// The part that a rank plays in a collective with a root.
enum class Role {
    root,
    leaf,
    bystander,  ///< in the root's group of an intercommunicator, but not the root
    refused,    ///< the root does not exist
};

Role role_of(const Communicator& communicator, int root) {
    if (communicator.inter && root == MPI_ROOT) {
        return Role::root;
    }
    if (communicator.inter && root == MPI_PROC_NULL) {
        return Role::bystander;
    }
    if (root < 0 || static_cast<std::size_t>(root) >= communicator.peers.size()) {
        return Role::refused;
    }
    return !communicator.inter && root == communicator.rank ? Role::root : Role::leaf;
}

/// A flow without edges that knows its root.
Flow rooted(const Communicator& communicator, int root, Role role) {
    Flow flow;
    switch (role) {
        case Role::root:
            flow.root = communicator.members[static_cast<std::size_t>(communicator.rank)];
            break;
        case Role::leaf:
            flow.root = communicator.peers[static_cast<std::size_t>(root)];
            flow.one = root + (communicator.inter ? static_cast<int>(communicator.members.size()) : 0);
            break;
        case Role::bystander:
            flow.root = transport::unknown_root;
            break;
        case Role::refused:
            flow.valid = false;
            break;
    }
    return flow;
}

std::uint32_t others(const Communicator& communicator) {
    const std::size_t count = communicator.peers.size();
    return static_cast<std::uint32_t>(communicator.inter ? count : count - 1);
}

bool zero_sized(MPI_Datatype type) {
    // MPICH keeps the kind of a handle in its upper bits; predefined types and the null handle are no objects.
    constexpr unsigned first_object_kind = 2;
    if (static_cast<unsigned>(type) >> 30 < first_object_kind) {
        return false;
    }
    MPI_Count size = 1;
    return PMPI_Type_size_x(type, &size) == MPI_SUCCESS && size == 0;
}

/// Bytes of `count` elements; unknown for arguments that MPI will refuse.
std::uint64_t amount_of(MPI_Count count, MPI_Datatype type) {
    // MPICH keeps the size of a predefined type in its handle, in the second byte.
    const auto handle = static_cast<unsigned>(type);
    const unsigned kind = handle >> 30;
    constexpr unsigned predefined = 1;
    MPI_Count size = (handle >> 8) & 0xff;
    if (count < 0 || kind == 0 ||
        (kind != predefined && (PMPI_Type_size_x(type, &size) != MPI_SUCCESS || size == MPI_UNDEFINED))) {
        return transport::unknown_amount;
    }
    std::uint64_t amount = 0;
    return __builtin_mul_overflow(static_cast<std::uint64_t>(size), static_cast<std::uint64_t>(count), &amount)
               ? transport::unknown_amount
               : amount;
}

/// As long as nothing in them agrees with anything else, which only a walk through both datatypes would tell.
transport::TypedData comparable_data(MPI_Count count, MPI_Datatype type) {
    UsedTypes& types = Layer::current()->types;
    const transport::TypedData data = types.data(count, type);
    return types.table().signature(data.type).bytes == 0 ? data : transport::TypedData{};
}

/// Of data of which there is as much as each rank says: one basic item, if all are alike.
transport::TypedData basic_data(MPI_Datatype type) {
    UsedTypes& types = Layer::current()->types;
    return types.table().data(types.table().only_basic(types.data(1, type).type), 1);
}

template <typename Is>
bool all_counts(const Communicator& communicator, Counts counts, Is&& is) {
    for (std::size_t i = 0; i < communicator.peers.size(); ++i) {
        if (!is(counts[i])) {
            return false;
        }
    }
    return true;
}

bool any_data(const Communicator& communicator, Counts counts) {
    return !all_counts(communicator, counts, [](MPI_Count count) { return count <= 0; });
}

/// Negative where one is, or where the sum of several is too large for a number: it is not known then.
MPI_Count sum_of(const Communicator& communicator, Counts counts) {
    MPI_Count sum = 0;
    const bool valid = all_counts(
        communicator, counts, [&](MPI_Count count) { return count >= 0 && !__builtin_add_overflow(sum, count, &sum); });
    return valid ? sum : -1;
}

/// What must be as in the other ranks.
void send(Flow& flow, MPI_Count count, MPI_Datatype type) {
    flow.sent = amount_of(count, type);
    flow.sent_data = comparable_data(count, type);
}
void receive(Flow& flow, MPI_Count count, MPI_Datatype type) {
    flow.received = amount_of(count, type);
    flow.received_data = comparable_data(count, type);
}
void send_and_receive(Flow& flow, MPI_Count count, MPI_Datatype type) {
    send(flow, count, type);
    flow.received = flow.sent;
    flow.received_data = flow.sent_data;
}

/// In larger groups the shares are not compared: all of them are looked through for each edge.
constexpr std::size_t most_shares = 512;

transport::Share share(base::Rank rank, MPI_Count count, MPI_Datatype type) {
    if (count == 0) {  // then the datatype may be anything
        return {.rank = rank, .bytes = 0};
    }
    transport::Share made{.rank = rank, .bytes = amount_of(count, type)};
    if (made.bytes != 0 && made.bytes != transport::unknown_amount) {
        made.data = comparable_data(count, type);
    }
    return made;
}

/// The shares of a rank while they are put together.
class SharesOf {
public:
    /// `edges`: as many as there are at most.
    explicit SharesOf(std::size_t edges) : made_(edges <= most_shares ? std::make_shared<FlowShares>() : nullptr) {}

    void give(base::Rank rank, MPI_Count count, MPI_Datatype type) {
        if (made_) {
            add_share(made_->given, share(rank, count, type));
        }
    }
    void ask(base::Rank rank, MPI_Count count, MPI_Datatype type) {
        if (made_) {
            add_share(made_->asked, share(rank, count, type));
        }
    }
    /// One for each peer but the rank itself; `types`: null where all are of `type`.
    void give_all(const Communicator& communicator, Counts counts, const MPI_Datatype* types, MPI_Datatype type) {
        for_each_peer(communicator, [&](std::size_t i, base::Rank rank) {
            give(rank, counts[i], types == nullptr ? type : types[i]);
        });
    }
    void ask_all(const Communicator& communicator, Counts counts, const MPI_Datatype* types, MPI_Datatype type) {
        for_each_peer(communicator, [&](std::size_t i, base::Rank rank) {
            ask(rank, counts[i], types == nullptr ? type : types[i]);
        });
    }

    [[nodiscard]] std::shared_ptr<const FlowShares> made() const { return made_; }

private:
    template <typename Visit>
    void for_each_peer(const Communicator& communicator, Visit&& visit) {
        for (std::size_t i = 0; made_ && i < communicator.peers.size(); ++i) {
            if (communicator.inter || static_cast<int>(i) != communicator.rank) {
                visit(i, communicator.peers[i]);
            }
        }
    }

    std::shared_ptr<FlowShares> made_;
};

/// Whether MPI refuses the call for them, so that no rank is to be waited for.
bool refuses(const Communicator& communicator, MPI_Count count, MPI_Datatype type) {
    constexpr unsigned first_object_kind = 2;
    const unsigned kind = static_cast<unsigned>(type) >> 30;
    return count < 0 || (count != 0 && (type == MPI_DATATYPE_NULL || kind == 0 ||
                                        (kind >= first_object_kind && !is_committed(communicator.handle, type))));
}

transport::Reduction reduction_of(MPI_Op op) {
    using transport::Reduction;
    switch (op) {
        case MPI_MAX:
            return Reduction::max;
        case MPI_MIN:
            return Reduction::min;
        case MPI_SUM:
            return Reduction::sum;
        case MPI_PROD:
            return Reduction::prod;
        case MPI_LAND:
            return Reduction::land;
        case MPI_BAND:
            return Reduction::band;
        case MPI_LOR:
            return Reduction::lor;
        case MPI_BOR:
            return Reduction::bor;
        case MPI_LXOR:
            return Reduction::lxor;
        case MPI_BXOR:
            return Reduction::bxor;
        case MPI_MINLOC:
            return Reduction::minloc;
        case MPI_MAXLOC:
            return Reduction::maxloc;
        case MPI_REPLACE:
            return Reduction::replace;
        case MPI_OP_NULL:
        case MPI_NO_OP:
            return Reduction::unknown;  // MPI refuses it
        default:
            return Reduction::user_defined;
    }
}

/// How many others this rank sends data to, by counts for each peer.
std::uint32_t readers_by_counts(const Communicator& communicator, Counts counts, const MPI_Datatype* types) {
    std::uint32_t readers = 0;
    for (std::size_t i = 0; i < communicator.peers.size(); ++i) {
        const bool self = !communicator.inter && static_cast<int>(i) == communicator.rank;
        if (!self && (types == nullptr ? counts[i] != 0 : has_data(counts[i], types[i]))) {
            ++readers;
        }
    }
    return readers;
}

std::uint32_t neighbour_readers(const Communicator& communicator, const Neighbours& neighbours, Counts counts,
                                const MPI_Datatype* types) {
    std::uint32_t readers = 0;
    for (std::size_t i = 0; i < neighbours.out.size(); ++i) {
        const int index = neighbours.out[i];
        const bool data = counts.null() || (types == nullptr ? counts[i] != 0 : has_data(counts[i], types[i]));
        if (index >= 0 && index != communicator.rank && data) {
            ++readers;
        }
    }
    return readers;
}

/// Asks MPI; null when the communicator has no topology.
std::shared_ptr<const Neighbours> ask_neighbours(const Communicator& communicator) {
    const MPI_Comm comm = communicator.handle;
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &kind);
    auto neighbours = std::make_shared<Neighbours>();
    if (kind == MPI_CART) {
        int dimensions = 0;
        PMPI_Cartdim_get(comm, &dimensions);
        for (int dimension = 0; dimension < dimensions; ++dimension) {
            int below = MPI_PROC_NULL;
            int above = MPI_PROC_NULL;
            PMPI_Cart_shift(comm, dimension, 1, &below, &above);
            neighbours->in.push_back(below);
            neighbours->in.push_back(above);
        }
        neighbours->out = neighbours->in;
    } else if (kind == MPI_GRAPH) {
        int count = 0;
        PMPI_Graph_neighbors_count(comm, communicator.rank, &count);
        neighbours->in.resize(static_cast<std::size_t>(count));
        PMPI_Graph_neighbors(comm, communicator.rank, count, neighbours->in.data());
        neighbours->out = neighbours->in;
    } else if (kind == MPI_DIST_GRAPH) {
        int sources = 0;
        int destinations = 0;
        int weighted = 0;
        PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
        neighbours->in.resize(static_cast<std::size_t>(sources));
        neighbours->out.resize(static_cast<std::size_t>(destinations));
        std::vector<int> weights_in(neighbours->in.size());
        std::vector<int> weights_out(neighbours->out.size());
        PMPI_Dist_graph_neighbors(comm, sources, neighbours->in.data(), weights_in.data(), destinations,
                                  neighbours->out.data(), weights_out.data());
    } else {
        return nullptr;
    }
    return neighbours;
}

}  // namespace

const Neighbours* neighbours_of(Communicator& communicator) {
    if (!communicator.neighbours) {
        communicator.neighbours = ask_neighbours(communicator);
    }
    return communicator.neighbours.get();
}

namespace {

/// What goes along each edge between neighbours.
struct EdgeData {
    Counts counts{};  ///< null: `count` along all
    MPI_Count count = 0;
    const MPI_Datatype* types = nullptr;  ///< null: `type` along all
    MPI_Datatype type = MPI_DATATYPE_NULL;

    [[nodiscard]] MPI_Count count_of(std::size_t i) const { return counts.null() ? count : counts[i]; }
    [[nodiscard]] MPI_Datatype type_of(std::size_t i) const { return types == nullptr ? type : types[i]; }
};

std::shared_ptr<const FlowShares> neighbour_shares(const Communicator& communicator, const Neighbours& neighbours,
                                                   const EdgeData& sent, const EdgeData& received) {
    SharesOf shares(std::max(neighbours.in.size(), neighbours.out.size()));
    const auto for_each = [&](const std::vector<int>& indices, auto&& visit) {
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (indices[i] >= 0 && indices[i] != communicator.rank) {
                visit(i, world_rank(communicator, indices[i]));
            }
        }
    };
    for_each(neighbours.out,
             [&](std::size_t i, base::Rank rank) { shares.give(rank, sent.count_of(i), sent.type_of(i)); });
    for_each(neighbours.in,
             [&](std::size_t i, base::Rank rank) { shares.ask(rank, received.count_of(i), received.type_of(i)); });
    return shares.made();
}

Flow refused() {
    Flow flow;
    flow.valid = false;
    return flow;
}

}  // namespace

std::uint64_t cart_digest(int ndims, const int* dims, const int* periods, int reorder) {
    ArgumentDigest digest;
    digest.add(reorder != 0 ? 1 : 0);
    digest.add(ndims, dims);
    for (int i = 0; periods != nullptr && i < ndims; ++i) {
        digest.add(periods[i] != 0 ? 1 : 0);
    }
    return digest.value();
}

std::uint64_t graph_digest(int nnodes, const int* index, const int* edges, int reorder) {
    ArgumentDigest digest;
    digest.add(reorder != 0 ? 1 : 0);
    digest.add(nnodes, index);
    if (nnodes > 0 && index != nullptr) {
        digest.add(index[nnodes - 1], edges);
    }
    return digest.value();
}

Flow with_operator(const Communicator& communicator, MPI_Op op, Flow flow) {
    if (!communicator.inter) {
        flow.reduction = reduction_of(op);
    }
    flow.valid = flow.valid && (communicator.inter || op != MPI_OP_NULL);
    return flow;
}

bool has_data(MPI_Count count, MPI_Datatype type) { return count != 0 && !zero_sized(type); }

std::shared_ptr<CollectiveEdges> keep_edges(const Communicator& communicator, const Flow& flow) {
    auto edges = std::make_shared<CollectiveEdges>();
    edges->flow = flow;
    if (!flow.counts.null() || flow.sources == Sources::listed) {
        for_each_source(communicator, flow, [&](int index) { edges->listed.push_back(index); });
        edges->flow.sources = Sources::listed;
        edges->flow.listed = edges->listed;
        edges->flow.counts = {};
        edges->flow.types = nullptr;
    }
    return edges;
}

Flow everyone_to_everyone(const Communicator& communicator) {
    Flow flow;
    flow.sources = Sources::everyone;
    flow.readers = others(communicator);
    return flow;
}

Flow bcast_flow(const Communicator& communicator, MPI_Count count, MPI_Datatype type, int root) {
    const Role role = role_of(communicator, root);
    Flow flow = rooted(communicator, root, role);
    if (role == Role::root) {
        send(flow, count, type);
        flow.readers = has_data(count, type) ? others(communicator) : 0;
    } else if (role == Role::leaf) {
        receive(flow, count, type);
        flow.sources = has_data(count, type) ? Sources::one : Sources::none;
    }
    flow.valid = flow.valid && (role == Role::bystander || !refuses(communicator, count, type));
    return flow;
}

Flow scatter_flow(const Communicator& communicator, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                  MPI_Datatype recvtype, int root) {
    const Role role = role_of(communicator, root);
    Flow flow = rooted(communicator, root, role);
    if (role == Role::root) {
        send(flow, sendcount, sendtype);
        flow.readers = has_data(sendcount, sendtype) ? others(communicator) : 0;
    } else if (role == Role::leaf) {
        receive(flow, recvcount, recvtype);
        flow.sources = has_data(recvcount, recvtype) ? Sources::one : Sources::none;
        flow.valid = !refuses(communicator, recvcount, recvtype);
    }
    return flow;
}

Flow scatterv_flow(const Communicator& communicator, Counts sendcounts, MPI_Datatype sendtype, MPI_Count recvcount,
                   MPI_Datatype recvtype, int root) {
    const Role role = role_of(communicator, root);
    Flow flow = rooted(communicator, root, role);
    if (role == Role::root && !sendcounts.null() && !zero_sized(sendtype)) {
        flow.readers = readers_by_counts(communicator, sendcounts, nullptr);
        if (any_data(communicator, sendcounts)) {
            flow.sent_data = basic_data(sendtype);
        }
    } else if (role == Role::leaf && has_data(recvcount, recvtype)) {
        flow.sources = Sources::one;
        flow.received_data = basic_data(recvtype);
    }
    SharesOf shares(communicator.peers.size());
    if (role == Role::root && !sendcounts.null()) {
        shares.give_all(communicator, sendcounts, nullptr, sendtype);
    } else if (role == Role::leaf) {
        shares.ask(flow.root, recvcount, recvtype);
    }
    flow.shares = shares.made();
    return flow;
}

Flow gather_flow(const Communicator& communicator, MPI_Count sendcount, MPI_Datatype sendtype, MPI_Count recvcount,
                 MPI_Datatype recvtype, int root) {
    const Role role = role_of(communicator, root);
    Flow flow = rooted(communicator, root, role);
    if (role == Role::root) {
        receive(flow, recvcount, recvtype);
        flow.sources = has_data(recvcount, recvtype) ? Sources::everyone : Sources::none;
        flow.valid = !refuses(communicator, recvcount, recvtype);
    } else if (role == Role::leaf) {
        send(flow, sendcount, sendtype);
        flow.readers = has_data(sendcount, sendtype) ? 1 : 0;
    }
    return flow;
}

Flow gatherv_flow(const Communicator& communicator, MPI_Count sendcount, MPI_Datatype sendtype, Counts recvcounts,
                  MPI_Datatype recvtype, int root) {
    const Role role = role_of(communicator, root);
    Flow flow = rooted(communicator, root, role);
    if (role == Role::root && !recvcounts.null() && !zero_sized(recvtype)) {
        flow.sources = Sources::everyone;
        flow.counts = recvcounts;
        if (any_data(communicator, recvcounts)) {
            flow.received_data = basic_data(recvtype);
        }
    } else if (role == Role::leaf && has_data(sendcount, sendtype)) {
        flow.readers = 1;
        flow.sent_data = basic_data(sendtype);
    }
    SharesOf shares(communicator.peers.size());
    if (role == Role::root && !recvcounts.null()) {
        shares.ask_all(communicator, recvcounts, nullptr, recvtype);
    } else if (role == Role::leaf) {
        shares.give(flow.root, sendcount, sendtype);
    }
    flow.shares = shares.made();
    return flow;
}

Flow reduce_flow(const Communicator& communicator, MPI_Count count, MPI_Datatype type, int root) {
    Flow flow = gather_flow(communicator, count, type, count, type, root);
    if (flow.root != transport::unknown_root) {
        send_and_receive(flow, count, type);
    }
    return flow;
}

Flow allreduce_flow(const Communicator& communicator, MPI_Count count, MPI_Datatype type) {
    Flow flow = has_data(count, type) ? everyone_to_everyone(communicator) : Flow{};
    send_and_receive(flow, count, type);
    flow.valid = !refuses(communicator, count, type);
    return flow;
}

Flow reduce_scatter_block_flow(const Communicator& communicator, MPI_Count recvcount, MPI_Datatype type) {
    Flow flow = allreduce_flow(communicator, recvcount, type);
    if (communicator.inter) {  // groups of different sizes have different shares
        flow.sent = flow.received = transport::unknown_amount;
        flow.sent_data = flow.received_data = {};
    }
    return flow;
}

Flow allgather_flow(const Communicator& communicator, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                    MPI_Count recvcount, MPI_Datatype recvtype) {
    Flow flow;
    const bool receives = has_data(recvcount, recvtype);
    if (!communicator.inter) {  // there each direction may have its own amount
        if (sendbuf != MPI_IN_PLACE) {
            send(flow, sendcount, sendtype);
        }
        receive(flow, recvcount, recvtype);
    }
    if (receives) {
        flow.sources = Sources::everyone;
    }
    flow.valid = !refuses(communicator, recvcount, recvtype) &&
                 (sendbuf == MPI_IN_PLACE || !refuses(communicator, sendcount, sendtype));
    if (sendbuf == MPI_IN_PLACE ? receives : has_data(sendcount, sendtype)) {
        flow.readers = others(communicator);
    }
    return flow;
}

Flow allgatherv_flow(const Communicator& communicator, const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                     Counts recvcounts, MPI_Datatype recvtype) {
    if (recvcounts.null()) {
        return refused();
    }
    Flow flow;
    if (!zero_sized(recvtype)) {
        flow.sources = Sources::everyone;
        flow.counts = recvcounts;
    }
    if (sendbuf == MPI_IN_PLACE ? has_data(recvcounts[static_cast<std::size_t>(communicator.rank)], recvtype)
                                : has_data(sendcount, sendtype)) {
        flow.readers = others(communicator);
    }
    if (!communicator.inter) {  // there each direction may have its own amounts and types
        flow.received = amount_of(sum_of(communicator, recvcounts), recvtype);
        if (any_data(communicator, recvcounts)) {
            flow.received_data = basic_data(recvtype);
        }
        if (sendbuf != MPI_IN_PLACE && has_data(sendcount, sendtype)) {
            flow.sent_data = basic_data(sendtype);
        }
    }
    SharesOf shares(communicator.peers.size());
    shares.ask_all(communicator, recvcounts, nullptr, recvtype);
    if (sendbuf != MPI_IN_PLACE) {
        shares.give(transport::Share::everyone, sendcount, sendtype);
    } else {
        shares.give(transport::Share::everyone, recvcounts[static_cast<std::size_t>(communicator.rank)], recvtype);
    }
    flow.shares = shares.made();
    return flow;
}

Flow alltoallv_flow(const Communicator& communicator, const void* sendbuf, Counts sendcounts, MPI_Datatype sendtype,
                    Counts recvcounts, MPI_Datatype recvtype) {
    const bool in_place = sendbuf == MPI_IN_PLACE;
    if (recvcounts.null() || (!in_place && sendcounts.null())) {
        return refused();
    }
    Flow flow;
    if (!zero_sized(recvtype)) {
        flow.sources = Sources::everyone;
        flow.counts = recvcounts;
    }
    if (!zero_sized(in_place ? recvtype : sendtype)) {
        flow.readers = readers_by_counts(communicator, in_place ? recvcounts : sendcounts, nullptr);
    }
    // Two ranks between which nothing goes need not agree; what a rank has for all must suit all.
    const auto for_all = [&](Counts counts) {
        return !communicator.inter && all_counts(communicator, counts, [](MPI_Count count) { return count > 0; });
    };
    if (for_all(recvcounts)) {
        flow.received_data = basic_data(recvtype);
    }
    if (!in_place && for_all(sendcounts)) {
        flow.sent_data = basic_data(sendtype);
    }
    SharesOf shares(communicator.peers.size());
    shares.give_all(communicator, in_place ? recvcounts : sendcounts, nullptr, in_place ? recvtype : sendtype);
    shares.ask_all(communicator, recvcounts, nullptr, recvtype);
    flow.shares = shares.made();
    return flow;
}

Flow alltoallw_flow(const Communicator& communicator, const void* sendbuf, Counts sendcounts,
                    const MPI_Datatype* sendtypes, Counts recvcounts, const MPI_Datatype* recvtypes) {
    const bool in_place = sendbuf == MPI_IN_PLACE;
    if (recvcounts.null() || recvtypes == nullptr || (!in_place && (sendcounts.null() || sendtypes == nullptr))) {
        return refused();
    }
    Flow flow;
    flow.sources = Sources::everyone;
    flow.counts = recvcounts;
    flow.types = recvtypes;
    flow.readers =
        readers_by_counts(communicator, in_place ? recvcounts : sendcounts, in_place ? recvtypes : sendtypes);
    SharesOf shares(communicator.peers.size());
    shares.give_all(communicator, in_place ? recvcounts : sendcounts, in_place ? recvtypes : sendtypes,
                    MPI_DATATYPE_NULL);
    shares.ask_all(communicator, recvcounts, recvtypes, MPI_DATATYPE_NULL);
    flow.shares = shares.made();
    return flow;
}

Flow reduce_scatter_flow(const Communicator& communicator, Counts recvcounts, MPI_Datatype type) {
    if (recvcounts.null()) {
        return refused();
    }
    Flow flow;
    if (!communicator.inter) {
        send_and_receive(flow, sum_of(communicator, recvcounts), type);
        ArgumentDigest digest;
        for (std::size_t i = 0; i < communicator.peers.size(); ++i) {
            digest.add(static_cast<std::int64_t>(amount_of(recvcounts[i], type)));
        }
        flow.arguments = digest.value();
    }
    if (zero_sized(type)) {
        return flow;
    }
    if (recvcounts[static_cast<std::size_t>(communicator.rank)] != 0) {
        flow.sources = Sources::everyone;
    }
    // How the remote group of an intercommunicator divides its result among its members is not known here.
    flow.readers = communicator.inter ? others(communicator) : readers_by_counts(communicator, recvcounts, nullptr);
    return flow;
}

Flow scan_flow(const Communicator& communicator, MPI_Count count, MPI_Datatype type) {
    Flow flow;
    send_and_receive(flow, count, type);
    flow.valid = !refuses(communicator, count, type);
    if (has_data(count, type)) {
        flow.sources = Sources::lower;
        flow.readers =
            static_cast<std::uint32_t>(communicator.members.size()) - 1 - static_cast<std::uint32_t>(communicator.rank);
    }
    return flow;
}

Flow neighbor_allgather_flow(Communicator& communicator, MPI_Count sendcount, MPI_Datatype sendtype,
                             MPI_Count recvcount, MPI_Datatype recvtype) {
    const Neighbours* neighbours = neighbours_of(communicator);
    if (neighbours == nullptr) {
        return refused();
    }
    Flow flow;
    if (has_data(recvcount, recvtype)) {
        flow.sources = Sources::listed;
        flow.listed = neighbours->in;
    }
    if (has_data(sendcount, sendtype)) {
        flow.readers = neighbour_readers(communicator, *neighbours, {}, nullptr);
    }
    flow.shares = neighbour_shares(communicator, *neighbours, {.count = sendcount, .type = sendtype},
                                   {.count = recvcount, .type = recvtype});
    return flow;
}

Flow neighbor_allgatherv_flow(Communicator& communicator, MPI_Count sendcount, MPI_Datatype sendtype, Counts recvcounts,
                              MPI_Datatype recvtype) {
    const Neighbours* neighbours = neighbours_of(communicator);
    if (neighbours == nullptr || (recvcounts.null() && !neighbours->in.empty())) {
        return refused();
    }
    Flow flow;
    if (!zero_sized(recvtype)) {
        flow.sources = Sources::listed;
        flow.listed = neighbours->in;
        flow.counts = recvcounts;
    }
    if (has_data(sendcount, sendtype)) {
        flow.readers = neighbour_readers(communicator, *neighbours, {}, nullptr);
    }
    flow.shares = neighbour_shares(communicator, *neighbours, {.count = sendcount, .type = sendtype},
                                   {.counts = recvcounts, .type = recvtype});
    return flow;
}

Flow neighbor_alltoallv_flow(Communicator& communicator, Counts sendcounts, MPI_Datatype sendtype, Counts recvcounts,
                             MPI_Datatype recvtype) {
    const Neighbours* neighbours = neighbours_of(communicator);
    if (neighbours == nullptr || (recvcounts.null() && !neighbours->in.empty()) ||
        (sendcounts.null() && !neighbours->out.empty())) {
        return refused();
    }
    Flow flow;
    if (!zero_sized(recvtype)) {
        flow.sources = Sources::listed;
        flow.listed = neighbours->in;
        flow.counts = recvcounts;
    }
    if (!zero_sized(sendtype)) {
        flow.readers = neighbour_readers(communicator, *neighbours, sendcounts, nullptr);
    }
    flow.shares = neighbour_shares(communicator, *neighbours, {.counts = sendcounts, .type = sendtype},
                                   {.counts = recvcounts, .type = recvtype});
    return flow;
}

Flow neighbor_alltoallw_flow(Communicator& communicator, Counts sendcounts, const MPI_Datatype* sendtypes,
                             Counts recvcounts, const MPI_Datatype* recvtypes) {
    const Neighbours* neighbours = neighbours_of(communicator);
    if (neighbours == nullptr || ((recvcounts.null() || recvtypes == nullptr) && !neighbours->in.empty()) ||
        ((sendcounts.null() || sendtypes == nullptr) && !neighbours->out.empty())) {
        return refused();
    }
    Flow flow;
    flow.sources = Sources::listed;
    flow.listed = neighbours->in;
    flow.counts = recvcounts;
    flow.types = recvtypes;
    flow.readers = neighbour_readers(communicator, *neighbours, sendcounts, sendtypes);
    flow.shares = neighbour_shares(communicator, *neighbours, {.counts = sendcounts, .types = sendtypes},
                                   {.counts = recvcounts, .types = recvtypes});
    return flow;
}

}  // namespace dampi::piggyback
