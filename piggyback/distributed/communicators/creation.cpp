// Making, naming and freeing communicators.
//
// Making one is a collective on the parent: all members learn from all, and block until all are there. Ids and names
// stand in identity.hpp.

#include "piggyback/distributed/collectives/collectives.hpp"
#include "piggyback/distributed/collectives/meeting.hpp"
#include "piggyback/distributed/progress.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/arguments/weights.hpp"
#include "piggyback/rank/communicators/agreements.hpp"
#include "piggyback/rank/communicators/being_made.hpp"
#include "piggyback/rank/communicators/identity.hpp"
#include "piggyback/rank/communicators/names.hpp"
#include "piggyback/rank/errors/quiet_errors.hpp"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dampi::piggyback::distributed {

using base::CommId;
using transport::Collective;
using transport::CollectiveForm;

namespace {

/// Registers what a constructor has made, if it made something here.
Communicator* register_made(DistributedLayer& layer, const Call& call, MPI_Comm handle, CommId id) {
    if (handle == MPI_COMM_NULL) {
        return nullptr;
    }
    Communicator* made = layer.communicators.add(handle, id, call.function(), call.site());
    if (made == nullptr) {
        layer.count_not_modelled("communicators of other worlds");
    } else {
        made->stack = layer.call_stacks.number_of_few(layer, call.site());
    }
    return made;
}

/// A constructor that is a collective on `comm`; `arguments`: as Flow::arguments; `shares(parent)`: as Flow::shares.
template <typename MakeShares, typename Native>
int make_child(Call& call, MPI_Comm comm, MPI_Comm* made, Collective collective, std::uint64_t arguments,
               MakeShares&& shares, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* parent = layer.communicators.find(comm);
    if (parent == nullptr) {
        return note_unknown(layer, Call::unlocked(native));
    }
    const std::uint64_t number = ++parent->children;
    Flow flow = everyone_to_everyone(*parent);
    flow.arguments = arguments;
    flow.shares = shares(*parent);
    const int result = alone(*parent) ? Call::unlocked(native) : meet(layer, call, *parent, collective, flow, native);
    if (result == MPI_SUCCESS) {
        if (Communicator* child = register_made(layer, call, *made, 0)) {
            baptise(layer, call, *parent, number, *child);
        }
    }
    return result;
}

template <typename Native>
int make_child(Call& call, MPI_Comm comm, MPI_Comm* made, Collective collective, Native&& native,
               std::uint64_t arguments = 0) {
    return make_child(
        call, comm, made, collective, arguments,
        [](const Communicator& /*parent*/) -> std::shared_ptr<const FlowShares> { return nullptr; }, native);
}

/// Makes a child by nonblocking duplication. MPICH gives the handle at once, so that it can be registered now.
template <typename Native>
int make_duplicate(Call& call, MPI_Comm comm, MPI_Comm* made, MPI_Request* handle, Collective collective,
                   Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* parent = layer.communicators.find(comm);
    if (parent == nullptr) {
        return note_unknown(layer, native());
    }
    const std::uint64_t number = ++parent->children;
    const std::uint32_t operation = operation_number(collective, CollectiveForm::nonblocking);
    auto request = make_collective_request(call, *parent, operation, everyone_to_everyone(*parent));
    start_collective(layer, call, *request);
    const int result = native();
    if (result == MPI_SUCCESS) {
        layer.requests.add(*handle, std::move(request));
        Communicator* child = layer.communicators.add_duplicate(*made, *parent, call.function(), call.site());
        child->stack = layer.call_stacks.number_of_few(layer, call.site());
        baptise(layer, call, *parent, number, *child);
        note_being_made(call, *made, *handle);
    }
    return result;
}

/// Waits until the rank has entered the first collective of this stand-in.
void await_leader(DistributedLayer& layer, const Call& call, CommId id, base::Rank leader, int tag) {
    Waiting waiting(layer, call, [&](WaitDescription& description) {
        description.add(
            {.kind = transport::WaitKind::leader, .forced = 0, .peer = leader, .tag = tag, .comm = id, .number = 0});
    });
    transport::Token searched = 0;
    transport::Token record = 0;
    for (;;) {
        record = record != 0 ? record : layer.port.find_record(leader, id, searched);
        if (record != 0 && layer.port.entered(record) != 0) {
            return;
        }
        make_progress();
        waiting.pause();
    }
}

/// The calling rank, alone, enters the first collective of a communicator that exists for this only.
void enter_stand_in(DistributedLayer& layer, const Call& call, CommId id, std::uint32_t operation) {
    Communicator place = stand_in(id, {layer.rank()}, layer.rank());
    publish(layer, place, operation, Flow{}, call.site());
}

/// Waits for what MPI_Intercomm_create waits for in the MPI library, so that it can be seen: the leaders for each
/// other, and everyone else for their leader. Where arguments make no sense, or the layer does not know the leaders'
/// communicator, nobody waits here. The local group has met.
void await_remote_group(DistributedLayer& layer, const Call& call, const Communicator& local, int local_leader,
                        MPI_Comm peer_comm, int remote_leader, int tag) {
    if (local.inter || local_leader < 0 || static_cast<std::size_t>(local_leader) >= local.members.size() || tag < 0) {
        return;
    }
    const std::uint32_t operation = operation_number(Collective::intercomm_create, CollectiveForm::blocking);
    const base::Rank leader = local.members[static_cast<std::size_t>(local_leader)];
    const CommId group_is_ready = IdHash().add(local.id).add(local.collectives).add(group_part).id();
    if (leader != layer.rank()) {
        await_leader(layer, call, group_is_ready, leader, tag);
        return;
    }
    const Communicator* peers = layer.communicators.find(peer_comm);
    if (peers != nullptr && remote_leader >= 0 && static_cast<std::size_t>(remote_leader) < peers->peers.size()) {
        const base::Rank remote = peers->peer(remote_leader);
        if (std::find(local.members.begin(), local.members.end(), remote) == local.members.end()) {
            const std::uint64_t key =
                IdHash()
                    .add(peers->id)
                    .add(static_cast<std::uint64_t>(tag))
                    .add(std::vector<base::Rank>{std::min(leader, remote), std::max(leader, remote)})
                    .value();
            const CommId leaders_meet = IdHash().add(key).add(layer.communicators.next_use(key)).id();
            enter_stand_in(layer, call, leaders_meet, operation);
            await_leader(layer, call, leaders_meet, remote, tag);
        }
    }
    if (!alone(local)) {
        enter_stand_in(layer, call, group_is_ready, operation);
    }
}

/// A constructor in which the members of the new communicator take part and nobody else. `key` tells it from others,
/// `described` follows its name, and `ranks_before` are those that could have been members.
template <typename Native>
int make_of_members(const Call& call, Collective collective, std::uint64_t key, std::vector<base::Rank> members,
                    const std::string& described, std::size_t ranks_before, MPI_Comm* newcomm, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    const CommId id = IdHash().add(key).add(layer.communicators.next_use(key)).id();
    // The members meet on the new communicator, of which this is then the first collective.
    Communicator meeting_place = stand_in(id, std::move(members), layer.rank());
    give_name(layer, meeting_place,
              std::string(call.function()) + " " + described + members_text(meeting_place, ranks_before));
    const Flow flow = everyone_to_everyone(meeting_place);
    const int result = alone(meeting_place) ? native() : meet(layer, call, meeting_place, collective, flow, native);
    if (result == MPI_SUCCESS) {
        if (Communicator* made = register_made(layer, call, *newcomm, id)) {
            made->collectives = meeting_place.collectives;
            made->records = std::move(meeting_place.records);
            made->name = std::move(meeting_place.name);
            log_members(layer, *made);
        }
    }
    return result;
}

template <typename Native>
int free_communicator(const Call& call, MPI_Comm* comm, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    const MPI_Comm handle = *comm;
    Communicator* const communicator = layer.communicators.find(handle);
    int result = MPI_SUCCESS;
    {
        const Call::ProgramRuns callbacks(call);
        result = native();
    }
    // Another thread may have got the same handle again by now.
    if (result == MPI_SUCCESS && communicator != nullptr && layer.communicators.find(handle) == communicator) {
        bool in_use = layer.multithreaded || layer.requests.refer_to(*communicator);
        for (const auto& entry : layer.pending) {
            in_use = in_use || entry.payload.communicator == communicator;
        }
        layer.communicators.remove(handle, in_use);
    }
    return result;
}

}  // namespace

}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

int comm_dup(Call& call, MPI_Comm comm, MPI_Comm* newcomm) noexcept {
    return make_child(call, comm, newcomm, Collective::comm_dup, [&] {
        const Call::ProgramRuns callbacks(call);
        return PMPI_Comm_dup(comm, newcomm);
    });
}

int comm_dup_with_info(Call& call, MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) noexcept {
    return make_child(call, comm, newcomm, Collective::comm_dup_with_info, [&] {
        const Call::ProgramRuns callbacks(call);
        return PMPI_Comm_dup_with_info(comm, info, newcomm);
    });
}

int comm_idup(Call& call, MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) noexcept {
    return make_duplicate(call, comm, newcomm, request, Collective::comm_dup, [&] {
        const Call::ProgramRuns callbacks(call);
        return PMPI_Comm_idup(comm, newcomm, request);
    });
}

int comm_idup_with_info(Call& call, MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request) noexcept {
    return make_duplicate(call, comm, newcomm, request, Collective::comm_dup_with_info, [&] {
        const Call::ProgramRuns callbacks(call);
        return PMPI_Comm_idup_with_info(comm, info, newcomm, request);
    });
}

int comm_create(Call& call, MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) noexcept {
    return make_child(
        call, comm, newcomm, Collective::comm_create, 0,
        [&](const Communicator& parent) -> std::shared_ptr<const FlowShares> {
            const QuietErrors quiet;  // whether it is a group MPI says, to the program, in the call itself
            const std::vector<base::Rank> members = DistributedLayer::current()->communicators.world_ranks(group);
            return members.empty() && group != MPI_GROUP_EMPTY ? nullptr : group_shares(parent, members);
        },
        [&] { return PMPI_Comm_create(comm, group, newcomm); });
}

int comm_split(Call& call, MPI_Comm comm, int color, int key, MPI_Comm* newcomm) noexcept {
    return make_child(call, comm, newcomm, Collective::comm_split,
                      [&] { return PMPI_Comm_split(comm, color, key, newcomm); });
}

int comm_split_type(Call& call, MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) noexcept {
    // Who gives MPI_UNDEFINED stands aside of what the others agree on.
    const std::uint64_t arguments = split_type == MPI_UNDEFINED ? 0 : ArgumentDigest().add(split_type).value();
    return make_child(
        call, comm, newcomm, Collective::comm_split_type,
        [&] { return PMPI_Comm_split_type(comm, split_type, key, info, newcomm); }, arguments);
}

int cart_create(Call& call, MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
                MPI_Comm* comm_cart) noexcept {
    return make_child(
        call, comm_old, comm_cart, Collective::cart_create,
        [&] { return PMPI_Cart_create(comm_old, ndims, dims, periods, reorder, comm_cart); },
        cart_digest(ndims, dims, periods, reorder));
}

int cart_sub(Call& call, MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm) noexcept {
    return make_child(
        call, comm, newcomm, Collective::cart_sub, 0,
        [&](const Communicator& parent) -> std::shared_ptr<const FlowShares> {
            const std::vector<base::Rank> members = members_of_subgrid(parent, remain_dims);
            return members.empty() ? nullptr : group_shares(parent, members);
        },
        [&] { return PMPI_Cart_sub(comm, remain_dims, newcomm); });
}

int graph_create(Call& call, MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder,
                 MPI_Comm* comm_graph) noexcept {
    return make_child(
        call, comm_old, comm_graph, Collective::graph_create,
        [&] { return PMPI_Graph_create(comm_old, nnodes, indx, edges, reorder, comm_graph); },
        graph_digest(nnodes, indx, edges, reorder));
}

int dist_graph_create(Call& call, MPI_Comm comm_old, int n, const int sources[], const int degrees[],
                      const int destinations[], const int weights[], MPI_Info info, int reorder,
                      MPI_Comm* comm_dist_graph) noexcept {
    return make_child(
        call, comm_old, comm_dist_graph, Collective::dist_graph_create,
        [&] {
            return PMPI_Dist_graph_create(comm_old, n, sources, degrees, destinations, weights, info, reorder,
                                          comm_dist_graph);
        },
        distributed_graph_digest(weights, info, reorder));
}

int dist_graph_create_adjacent(Call& call, MPI_Comm comm_old, int indegree, const int sources[],
                               const int sourceweights[], int outdegree, const int destinations[],
                               const int destweights[], MPI_Info info, int reorder,
                               MPI_Comm* comm_dist_graph) noexcept {
    return make_child(
        call, comm_old, comm_dist_graph, Collective::dist_graph_create_adjacent,
        distributed_graph_digest(sourceweights, info, reorder),
        [&](const Communicator& parent) {
            return edge_shares(parent, {indegree, sources, sourceweights}, {outdegree, destinations, destweights});
        },
        [&] {
            return PMPI_Dist_graph_create_adjacent(comm_old, indegree, sources, sourceweights, outdegree, destinations,
                                                   destweights, info, reorder, comm_dist_graph);
        });
}

int intercomm_merge(Call& call, MPI_Comm intercomm, int high, MPI_Comm* newintracomm) noexcept {
    return make_child(call, intercomm, newintracomm, Collective::intercomm_merge,
                      [&] { return PMPI_Intercomm_merge(intercomm, high, newintracomm); });
}

int comm_create_group(Call& call, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    const auto native = [&] { return PMPI_Comm_create_group(comm, group, tag, newcomm); };
    const Communicator* parent = layer.communicators.find(comm);
    if (parent == nullptr) {
        return note_unknown(layer, Call::unlocked(native));
    }
    std::vector<base::Rank> members = layer.communicators.world_ranks(group);
    if (std::find(members.begin(), members.end(), layer.rank()) == members.end()) {
        return native();
    }
    const std::uint64_t key = IdHash().add(parent->id).add(static_cast<std::uint64_t>(tag)).add(members).value();
    return make_of_members(call, Collective::comm_create_group, key, std::move(members),
                           "of " + parent->name + " with tag " + std::to_string(tag), all_ranks(*parent), newcomm,
                           native);
}

int comm_create_from_group(Call& call, MPI_Group group, const char* stringtag, MPI_Info info, MPI_Errhandler errhandler,
                           MPI_Comm* newcomm) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    const auto native = [&] { return PMPI_Comm_create_from_group(group, stringtag, info, errhandler, newcomm); };
    std::vector<base::Rank> members = layer.communicators.world_ranks(group);
    if (stringtag == nullptr || std::find(members.begin(), members.end(), layer.rank()) == members.end()) {
        return native();
    }
    const auto processes = static_cast<std::size_t>(layer.size());
    const std::uint64_t key = IdHash().add(from_groups_part).add(stringtag).add(members).value();
    return make_of_members(call, Collective::comm_create_from_group, key, std::move(members),
                           std::string("with tag ") + stringtag, processes, newcomm, native);
}

int intercomm_create(Call& call, MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                     MPI_Comm* newintercomm) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Communicator* local = layer.communicators.find(local_comm);
    // Each group gets to know the other's communicator, which the new one's id is made of, through the new one.
    CommId remote_id = 0;
    const auto native = [&] {
        const int result = PMPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm);
        if (result == MPI_SUCCESS && local != nullptr) {
            const CommId local_id = local->id;
            PMPI_Allreduce(&local_id, &remote_id, 1, MPI_UINT64_T, MPI_MAX, *newintercomm);
        }
        return result;
    };
    if (local == nullptr) {
        return note_unknown(layer, Call::unlocked(native));
    }
    // First the local group meets; who is in the remote one is only known afterwards.
    const std::uint32_t operation = operation_number(Collective::intercomm_create, CollectiveForm::blocking);
    const Flow flow = everyone_to_everyone(*local);
    note_entering(layer, call, *local, flow);
    Meeting meeting(layer, call, *local, flow,
                    alone(*local) ? Entered{.own = contribution(operation, flow, call.site(), 0)}
                                  : publish(layer, *local, operation, flow, call.site()));
    meeting.await();
    await_remote_group(layer, call, *local, local_leader, peer_comm, remote_leader, tag);
    int result = MPI_SUCCESS;
    {
        const BlockedInLibrary blocked(layer, call,
                                       {.kind = transport::WaitKind::other,
                                        .forced = 0,
                                        .peer = base::any_source,
                                        .tag = tag,
                                        .comm = local->id,
                                        .number = 0});
        result = Call::unlocked(native);
    }
    if (result != MPI_SUCCESS) {
        return result;
    }
    meeting.learn();
    Communicator* made = register_made(layer, call, *newintercomm, 0);
    if (made == nullptr) {
        return result;
    }
    baptise(layer, call, local->id, remote_id, tag, *made);
    // All have come this far or will without waiting for this rank; now both groups learn from each other.
    const Flow across = everyone_to_everyone(*made);
    Meeting bridge(layer, call, *made, across, publish(layer, *made, operation, across, call.site()));
    bridge.await();
    bridge.learn();
    return result;
}

int intercomm_create_from_groups(Call& call, MPI_Group local_group, int local_leader, MPI_Group remote_group,
                                 int remote_leader, const char* stringtag, MPI_Info info, MPI_Errhandler errhandler,
                                 MPI_Comm* newintercomm) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    const auto native = [&] {
        return PMPI_Intercomm_create_from_groups(local_group, local_leader, remote_group, remote_leader, stringtag,
                                                 info, errhandler, newintercomm);
    };
    const std::vector<base::Rank> local = layer.communicators.world_ranks(local_group);
    const std::vector<base::Rank> remote = layer.communicators.world_ranks(remote_group);
    const bool valid = stringtag != nullptr && !remote.empty() && local_leader >= 0 &&
                       static_cast<std::size_t>(local_leader) < local.size() && remote_leader >= 0 &&
                       static_cast<std::size_t>(remote_leader) < remote.size() &&
                       std::find(local.begin(), local.end(), layer.rank()) != local.end() &&
                       std::find_first_of(local.begin(), local.end(), remote.begin(), remote.end()) == local.end();
    if (!valid) {
        return native();
    }
    // All of both groups learn from all: each leader hears from its whole group before it speaks to the other.
    std::vector<base::Rank> everyone = local;
    everyone.insert(everyone.end(), remote.begin(), remote.end());
    std::sort(everyone.begin(), everyone.end());
    const std::uint64_t key =
        IdHash().add(from_groups_part).add(stringtag).add(std::min(local, remote)).add(std::max(local, remote)).value();
    const CommId id = IdHash().add(key).add(layer.communicators.next_use(key)).id();
    Communicator meeting_place = stand_in(IdHash().add(id).add(group_part).id(), std::move(everyone), layer.rank());
    const std::string name = std::string(call.function()) + " with tag " + stringtag;
    give_name(layer, meeting_place, name);
    const Flow flow = everyone_to_everyone(meeting_place);
    const int result = meet(layer, call, meeting_place, Collective::intercomm_create_from_groups, flow, native);
    if (result == MPI_SUCCESS) {
        if (Communicator* made = register_made(layer, call, *newintercomm, id)) {
            give_name(layer, *made, name);
            log_members(layer, *made);
        }
    }
    return result;
}

int comm_set_name(Call& /*call*/, MPI_Comm comm, const char* comm_name) noexcept {
    return set_name(*Layer::current(), comm, comm_name);
}

int comm_free(Call& call, MPI_Comm* comm) noexcept {
    return free_communicator(call, comm, [&] { return PMPI_Comm_free(comm); });
}

int comm_disconnect(Call& call, MPI_Comm* comm) noexcept {
    return free_communicator(call, comm, [&] { return PMPI_Comm_disconnect(comm); });
}

}  // namespace dampi::piggyback::distributed::calls
