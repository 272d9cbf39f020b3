// Making, naming and freeing communicators with the centralized engine. The ranks compute themselves who is in a new
// one, from what they tell each other in the collective that makes it. What the program gets is a communicator of MPI's
// with this rank as its only member, which carries attributes, name and error handler.
#include "base/check.hpp"
#include "piggyback/central/errors.hpp"
#include "piggyback/central/gathering.hpp"
#include "piggyback/central/wrapping.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/interception/central_calls.hpp"
#include "piggyback/rank/arguments/weights.hpp"
#include "piggyback/rank/collectives/entering.hpp"
#include "piggyback/rank/communicators/agreements.hpp"
#include "piggyback/rank/communicators/being_made.hpp"
#include "piggyback/rank/communicators/identity.hpp"
#include "piggyback/rank/communicators/names.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dampi::piggyback::central {
namespace {

using base::CommId;
using base::Rank;
using transport::CollectiveForm;
using Kind = transport::Collective;
using Ranks = std::vector<Rank>;

/// A communicator to be.
struct Plan {
    Ranks members;
    Ranks peers{};  ///< the remote group of an intercommunicator
    std::shared_ptr<const Topology> topology{};
};
/// None: this rank is not in it, and gets MPI_COMM_NULL.
using Planned = std::optional<Plan>;

std::uint32_t blocking_operation(Kind kind) { return operation_number(kind, CollectiveForm::blocking); }

/// MPI makes the handle, of a communicator without attributes.
int make_bare(MPI_Comm parent, MPI_Comm* made) { return PMPI_Comm_split(parent, 0, 0, made); }

/// Follows a new communicator, under an id if there is one already.
Communicator& follow(const Call& call, MPI_Comm handle, Plan plan, CommId id = 0) {
    Layer& layer = *Layer::current();
    auto made = std::make_unique<Communicator>();
    made->handle = handle;
    made->id = id;
    made->inter = !plan.peers.empty();
    made->rank =
        static_cast<int>(std::find(plan.members.begin(), plan.members.end(), layer.rank()) - plan.members.begin());
    made->peers = made->inter ? std::move(plan.peers) : plan.members;
    made->members = std::move(plan.members);
    made->site = call.site();
    made->made_by = call.function();
    made->stack = layer.call_stacks.number_of_few(layer, call.site());
    RankSide& side = *RankSide::current();
    side.topologies.remove(handle);
    if (plan.topology != nullptr) {
        made->neighbours = std::make_shared<Neighbours>(plan.topology->neighbours(made->rank));
        side.topologies.set(handle, std::move(plan.topology));
    }
    return *layer.communicators.adopt(std::move(made));
}

/// All ranks of a communicator but this one, by index.
Ranks others(const Communicator& communicator) {
    Ranks ranks;
    for (std::size_t i = 0; i < all_ranks(communicator); ++i) {
        if (static_cast<int>(i) != communicator.rank) {
            ranks.push_back(world_rank(communicator, static_cast<int>(i)));
        }
    }
    return ranks;
}

/// What a rank tells the others of its arguments.
struct Told {
    Told() = default;
    Told(Words said) : words(std::move(said)) {}  // NOLINT(google-explicit-constructor): most say nothing else
    Told(Words said, std::uint64_t digest) : words(std::move(said)), arguments(digest) {}
    Told(Words said, std::uint64_t digest, std::shared_ptr<const FlowShares> given)
        : words(std::move(said)), arguments(digest), shares(std::move(given)) {}

    Words words;
    std::uint64_t arguments = 0;               ///< Flow::arguments
    std::shared_ptr<const FlowShares> shares;  ///< Flow::shares
};

/// A collective in which all ranks (of both groups) tell all others something. Returns it by index.
std::vector<Words> meet_all(const Call& call, Communicator& communicator, Kind kind, Told own) {
    if (alone(communicator)) {
        return {std::move(own.words)};
    }
    note_entering(*Layer::current(), call, communicator, everyone_to_everyone(communicator));
    ++communicator.collectives;
    Exchanged exchanged;
    exchanged.comm = communicator.id;
    exchanged.operation = blocking_operation(kind);
    exchanged.sources = others(communicator);
    exchanged.readers = static_cast<std::uint32_t>(exchanged.sources.size());
    exchanged.own = own.words;
    exchanged.arguments = own.arguments;
    exchanged.shares = own.shares;
    std::vector<Words> heard = exchange_words(call, exchanged);
    heard.insert(heard.begin() + communicator.rank, std::move(own.words));
    return heard;
}

/// A constructor that is a collective on `comm`. `own`: what the others must know of this rank's arguments; `plan`
/// makes of what all have said who is in the new communicator.
template <typename MakePlan, typename Native>
int make_child(const Call& call, MPI_Comm comm, MPI_Comm* made, Kind kind, Told own, MakePlan&& plan, Native&& native) {
    Layer& layer = *Layer::current();
    Communicator* parent = layer.communicators.find(comm);
    if (parent == nullptr) {
        return PMPI_Comm_dup(comm, made);  // MPI refuses
    }
    if (made == nullptr) {
        return raise(call, comm, Wrong::null_pointer);
    }
    const std::uint64_t number = ++parent->children;
    const std::vector<Words> said = meet_all(call, *parent, kind, std::move(own));
    Planned planned = plan(*parent, said);
    if (!planned) {
        *made = MPI_COMM_NULL;
        return MPI_SUCCESS;
    }
    const int result = native(made);
    if (result == MPI_SUCCESS) {
        Communicator& child = follow(call, *made, std::move(*planned));
        baptise(layer, call, *parent, number, child);
        tell_of(child);
    }
    return result;
}

/// Makes a child that takes over none of its parent's attributes.
template <typename MakePlan>
int make_child(const Call& call, MPI_Comm comm, MPI_Comm* made, Kind kind, Told own, MakePlan&& plan) {
    return make_child(call, comm, made, kind, std::move(own), plan,
                      [&](MPI_Comm* handle) { return make_bare(comm, handle); });
}

Plan same_as(const Communicator& parent) {
    return {.members = parent.members,
            .peers = parent.inter ? parent.peers : Ranks{},
            .topology = RankSide::current()->topologies.find(parent.handle)};
}

template <typename Native>
int duplicate(const Call& call, MPI_Comm comm, MPI_Comm* made, Kind kind, Native&& native) {
    return make_child(
        call, comm, made, kind, {},
        [](const Communicator& parent, const std::vector<Words>&) -> Planned { return same_as(parent); },
        [&](MPI_Comm* handle) {
            const Call::ProgramRuns callbacks(call);
            return native(handle);
        });
}

template <typename Native>
int duplicate_later(const Call& call, MPI_Comm comm, MPI_Comm* made, MPI_Request* request, Kind kind, Native&& native) {
    Layer& layer = *Layer::current();
    Communicator* parent = layer.communicators.find(comm);
    if (parent == nullptr) {
        return PMPI_Comm_dup(comm, made);  // MPI refuses
    }
    if (made == nullptr || request == nullptr) {
        return raise(call, comm, Wrong::null_pointer);
    }
    const std::uint64_t number = ++parent->children;
    auto work = std::make_shared<Collective>(*parent, operation_number(kind, CollectiveForm::nonblocking),
                                             everyone_to_everyone(*parent), Moves{}, true);
    work->start(call);
    int result = MPI_SUCCESS;
    {
        const Call::ProgramRuns callbacks(call);
        result = native();
    }
    if (result == MPI_SUCCESS) {
        make_request(call, std::move(work), RequestKind::collective, false, request);
        Communicator& child = follow(call, *made, same_as(*parent));
        baptise(layer, call, *parent, number, child);
        tell_of(child);
        note_being_made(call, *made, *request);
    }
    return result;
}

/// The ranks of one group that have chosen this colour, by their keys. `said` begins with that group's.
Ranks with_colour(const Ranks& group, const Words* said, std::int64_t colour) {
    std::vector<std::pair<std::int64_t, Rank>> chosen;
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (said[i].size() == 2 && said[i][0] == colour) {
            chosen.emplace_back(said[i][1], group[i]);
        }
    }
    std::stable_sort(chosen.begin(), chosen.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    Ranks ranks;
    for (const auto& [key, rank] : chosen) {
        ranks.push_back(rank);
    }
    return ranks;
}

int split(const Call& call, MPI_Comm comm, int colour, int key, MPI_Comm* made, Kind kind) {
    return make_child(call, comm, made, kind, Words{colour, key},
                      [&](const Communicator& parent, const std::vector<Words>& said) -> Planned {
                          if (colour == MPI_UNDEFINED) {
                              return std::nullopt;
                          }
                          Plan plan{.members = with_colour(parent.members, said.data(), colour)};
                          if (parent.inter) {
                              plan.peers = with_colour(parent.peers, said.data() + parent.members.size(), colour);
                              if (plan.peers.empty()) {
                                  return std::nullopt;
                              }
                          }
                          return plan;
                      });
}

bool contains(const Ranks& ranks, Rank rank) { return std::find(ranks.begin(), ranks.end(), rank) != ranks.end(); }

Words as_words(const Ranks& ranks) { return {ranks.begin(), ranks.end()}; }
Ranks as_ranks(const Words& words) {
    Ranks ranks;
    std::transform(words.begin(), words.end(), std::back_inserter(ranks),
                   [](std::int64_t word) { return static_cast<Rank>(word); });
    return ranks;
}

/// A constructor in which the members of the new communicator take part and nobody else. `key` tells it from others,
/// `described` follows its name, and `ranks_before` are those that could have been members.
int make_of_members(const Call& call, Kind kind, std::uint64_t key, Ranks members, const std::string& described,
                    std::size_t ranks_before, MPI_Comm parent, MPI_Comm* made) {
    Layer& layer = *Layer::current();
    const CommId id = IdHash().add(key).add(layer.communicators.next_use(key)).id();
    // The members meet on the new communicator, of which this is then the first collective.
    Communicator meeting_place = stand_in(id, members, layer.rank());
    give_name(layer, meeting_place,
              std::string(call.function()) + " " + described + members_text(meeting_place, ranks_before));
    tell_of(meeting_place);
    meet_all(call, meeting_place, kind, {});
    const int result = make_bare(parent, made);
    if (result == MPI_SUCCESS) {
        Communicator& child = follow(call, *made, {.members = std::move(members)}, id);
        child.collectives = meeting_place.collectives;
        child.name = std::move(meeting_place.name);
        log_members(layer, child);
    }
    return result;
}

/// The other group of MPI_Intercomm_create, and the communicator that it is of.
struct RemoteGroup {
    Ranks members;
    CommId communicator = 0;
};

Words as_words(const RemoteGroup& group) {
    Words words = as_words(group.members);
    words.push_back(static_cast<std::int64_t>(group.communicator));
    return words;
}
RemoteGroup as_remote_group(Words words) {
    DAMPI_CHECK(!words.empty());
    const auto communicator = static_cast<CommId>(words.back());
    words.pop_back();
    return {as_ranks(words), communicator};
}

/// What the leader of the other group says of it: the leaders meet, and then each its group.
RemoteGroup remote_group(const Call& call, const Communicator& local, int local_leader, const Communicator* peers,
                         int remote_leader, int tag) {
    Layer& layer = *Layer::current();
    const std::uint32_t operation = blocking_operation(Kind::intercomm_create);
    const Rank leader = local.members[static_cast<std::size_t>(local_leader)];
    const CommId group_meets = IdHash().add(local.id).add(local.collectives).add(group_part).id();
    RemoteGroup remote;
    if (leader == layer.rank()) {
        const Rank other = peers->peer(remote_leader);
        Ranks leaders{std::min(leader, other), std::max(leader, other)};
        const std::uint64_t key = IdHash().add(peers->id).add(static_cast<std::uint64_t>(tag)).add(leaders).value();
        const CommId leaders_meet = IdHash().add(key).add(layer.communicators.next_use(key)).id();
        tell_of(stand_in(leaders_meet, std::move(leaders), layer.rank()));
        const auto heard = exchange_words(call, {.comm = leaders_meet,
                                                 .operation = operation,
                                                 .sources = {other},
                                                 .readers = 1,
                                                 .own = as_words(RemoteGroup{local.members, local.id}),
                                                 .leader = true,
                                                 .tag = tag,
                                                 .apart = true});
        remote = as_remote_group(heard.front());
    }
    if (!alone(local)) {
        tell_of(stand_in(group_meets, local.members, layer.rank()));
        const bool leads = leader == layer.rank();
        const auto heard =
            exchange_words(call, {.comm = group_meets,
                                  .operation = operation,
                                  .sources = leads ? Ranks{} : Ranks{leader},
                                  .readers = leads ? static_cast<std::uint32_t>(local.members.size() - 1) : 0U,
                                  .own = leads ? as_words(remote) : Words{},
                                  .leader = true,
                                  .tag = tag,
                                  .apart = true});
        remote = leads ? std::move(remote) : as_remote_group(heard.front());
    }
    return remote;
}

/// Of a Cartesian grid, what is left when only some dimensions remain, and the ranks of this one's part.
Plan part_of_grid(const Communicator& parent, const Topology& grid, const int* remain) {
    auto part = std::make_shared<Topology>();
    part->kind = MPI_CART;
    for (std::size_t i = 0; i < grid.dims.size(); ++i) {
        if (remain[i] != 0) {
            part->dims.push_back(grid.dims[i]);
            part->periods.push_back(grid.periods[i]);
        }
    }
    const std::vector<int> own = grid.coordinates(parent.rank);
    Plan plan;
    for (std::size_t rank = 0; rank < parent.members.size(); ++rank) {
        const std::vector<int> place = grid.coordinates(static_cast<int>(rank));
        bool same = true;
        for (std::size_t i = 0; i < place.size(); ++i) {
            same = same && (remain[i] != 0 || place[i] == own[i]);
        }
        if (same) {
            plan.members.push_back(parent.members[rank]);
        }
    }
    plan.topology = std::move(part);
    return plan;
}

/// The first `number` members with a topology; none for the others.
Planned first_members(const Communicator& parent, int number, std::shared_ptr<const Topology> topology) {
    if (parent.rank >= number) {
        return std::nullopt;
    }
    return Plan{.members = Ranks(parent.members.begin(), parent.members.begin() + number),
                .peers = {},
                .topology = std::move(topology)};
}

/// Whether this rank's group is the group of all who are in it, and those who have it in theirs. All of what the ranks
/// of an intracommunicator have said, by index.
bool agree_on_group(const Communicator& parent, const std::vector<Words>& said) {
    const Words& own = said[static_cast<std::size_t>(parent.rank)];
    const auto own_rank = static_cast<std::int64_t>(Layer::current()->rank());
    for (std::size_t i = 0; i < said.size(); ++i) {
        const auto has = [](const Words& group, std::int64_t rank) {
            return std::find(group.begin(), group.end(), rank) != group.end();
        };
        if (said[i] != own && (has(own, parent.members[i]) || has(said[i], own_rank))) {
            return false;
        }
    }
    return true;
}

template <typename Native>
int free_communicator(const Call& call, MPI_Comm* comm, Native&& native) {
    Layer& layer = *Layer::current();
    RankSide& side = *RankSide::current();
    const MPI_Comm handle = comm == nullptr ? MPI_COMM_NULL : *comm;
    const Communicator* const communicator = layer.communicators.find(handle);
    int result = MPI_SUCCESS;
    {
        const Call::ProgramRuns callbacks(call);
        result = native();
    }
    if (result == MPI_SUCCESS && communicator != nullptr) {
        bool in_use = layer.requests.refer_to(*communicator);
        side.messages.for_each(
            [&](int, const ProbedMessage& message) { in_use = in_use || message.communicator == communicator; });
        side.topologies.remove(handle);
        if (!in_use) {
            side.tell(transport::requests::CommunicatorFreedCall{.comm = communicator->id});
        }
        layer.communicators.remove(handle, in_use);
    }
    return result;
}

}  // namespace
}  // namespace dampi::piggyback::central

namespace dampi::piggyback::central::calls {

int comm_dup(Call& call, MPI_Comm comm, MPI_Comm* newcomm) noexcept {
    return duplicate(call, comm, newcomm, Kind::comm_dup, [&](MPI_Comm* made) { return PMPI_Comm_dup(comm, made); });
}

int comm_dup_with_info(Call& call, MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) noexcept {
    return duplicate(call, comm, newcomm, Kind::comm_dup_with_info,
                     [&](MPI_Comm* made) { return PMPI_Comm_dup_with_info(comm, info, made); });
}

int comm_idup(Call& call, MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) noexcept {
    return duplicate_later(call, comm, newcomm, request, Kind::comm_dup, [&] { return PMPI_Comm_dup(comm, newcomm); });
}

int comm_idup_with_info(Call& call, MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request) noexcept {
    return duplicate_later(call, comm, newcomm, request, Kind::comm_dup_with_info,
                           [&] { return PMPI_Comm_dup_with_info(comm, info, newcomm); });
}

int comm_create(Call& call, MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) noexcept {
    const Groups::Members* found = RankSide::current()->groups.find(group);
    if (found == nullptr) {
        return raise(call, comm, group == MPI_GROUP_NULL ? Wrong::no_group : Wrong::group);
    }
    const Ranks members = *found;
    const Communicator* parent = Layer::current()->communicators.find(comm);
    if (parent != nullptr &&
        !std::all_of(members.begin(), members.end(), [&](Rank rank) { return contains(parent->members, rank); })) {
        return raise(call, comm, Wrong::group_of_others);
    }
    bool others_agree = true;
    const int result =
        make_child(call, comm, newcomm, Kind::comm_create,
                   Told(as_words(members), 0, parent == nullptr ? nullptr : group_shares(*parent, members)),
                   [&](const Communicator& of, const std::vector<Words>& said) -> Planned {
                       Plan plan{.members = members};
                       others_agree = of.inter || agree_on_group(of, said);
                       if (!others_agree) {
                           return std::nullopt;
                       }
                       if (of.inter) {
                           plan.peers = as_ranks(said[of.members.size()]);
                       }
                       const bool in_it = contains(members, Layer::current()->rank());
                       return in_it && (!of.inter || !plan.peers.empty()) ? Planned(plan) : std::nullopt;
                   });
    return result == MPI_SUCCESS && !others_agree ? raise(call, comm, Wrong::group) : result;
}

int comm_split(Call& call, MPI_Comm comm, int color, int key, MPI_Comm* newcomm) noexcept {
    if (color < 0 && color != MPI_UNDEFINED) {
        return raise(call, comm, Wrong::argument);
    }
    return split(call, comm, color, key, newcomm, Kind::comm_split);
}

int comm_split_type(Call& call, MPI_Comm comm, int split_type, int key, MPI_Info /*info*/, MPI_Comm* newcomm) noexcept {
    if (split_type != MPI_COMM_TYPE_SHARED && split_type != MPI_UNDEFINED) {
        refuse(call);
    }
    const int host = static_cast<int>(RankSide::current()->exchange.header().host);
    return split(call, comm, split_type == MPI_UNDEFINED ? MPI_UNDEFINED : host, key, newcomm, Kind::comm_split_type);
}

int comm_create_group(Call& call, MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) noexcept {
    Layer& layer = *Layer::current();
    const Communicator* parent = layer.communicators.find(comm);
    if (parent == nullptr) {
        return PMPI_Comm_dup(comm, newcomm);  // MPI refuses
    }
    const Groups::Members* found = RankSide::current()->groups.find(group);
    if (found == nullptr) {
        return raise(call, comm, group == MPI_GROUP_NULL ? Wrong::no_group : Wrong::group);
    }
    Ranks members = *found;
    if (!contains(members, layer.rank())) {
        *newcomm = MPI_COMM_NULL;
        return MPI_SUCCESS;
    }
    const std::uint64_t key = IdHash().add(parent->id).add(static_cast<std::uint64_t>(tag)).add(members).value();
    return make_of_members(call, Kind::comm_create_group, key, std::move(members),
                           "of " + parent->name + " with tag " + std::to_string(tag), all_ranks(*parent), comm,
                           newcomm);
}

int cart_create(Call& call, MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder,
                MPI_Comm* comm_cart) noexcept {
    const Communicator* parent = Layer::current()->communicators.find(comm_old);
    if (ndims < 0 || (ndims > 0 && (dims == nullptr || periods == nullptr))) {
        return raise(call, comm_old, Wrong::argument);
    }
    const bool positive = std::all_of(dims, dims + ndims, [](int each) { return each > 0; });
    const int nodes = positive ? std::accumulate(dims, dims + ndims, 1, std::multiplies<>()) : 0;
    if (parent != nullptr && (!positive || nodes > static_cast<int>(parent->members.size()))) {
        return raise(call, comm_old, Wrong::dimensions);
    }
    if (parent != nullptr && parent->inter) {
        return raise(call, comm_old, Wrong::communicator);
    }
    auto grid = std::make_shared<Topology>();
    grid->kind = MPI_CART;
    grid->dims.assign(dims, dims + ndims);
    grid->periods.assign(periods, periods + ndims);
    return make_child(
        call, comm_old, comm_cart, Kind::cart_create, Told({}, cart_digest(ndims, dims, periods, reorder)),
        [&](const Communicator& of, const std::vector<Words>&) { return first_members(of, nodes, grid); });
}

int cart_sub(Call& call, MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm) noexcept {
    const auto grid = RankSide::current()->topologies.find(comm);
    const Communicator* const parent = Layer::current()->communicators.find(comm);
    if (parent != nullptr && (grid == nullptr || grid->kind != MPI_CART)) {
        return raise(call, comm, Wrong::topology);
    }
    std::shared_ptr<const FlowShares> members;
    if (parent != nullptr) {
        members = group_shares(*parent, part_of_grid(*parent, *grid, remain_dims).members);
    }
    return make_child(call, comm, newcomm, Kind::cart_sub, Told({}, 0, std::move(members)),
                      [&](const Communicator& of, const std::vector<Words>&) -> Planned {
                          Plan part = part_of_grid(of, *grid, remain_dims);
                          // Without any dimension MPICH gives the first rank a communicator, and the others none.
                          return part.topology->dims.empty() && of.rank != 0 ? std::nullopt : Planned(std::move(part));
                      });
}

int graph_create(Call& call, MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder,
                 MPI_Comm* comm_graph) noexcept {
    const Communicator* parent = Layer::current()->communicators.find(comm_old);
    if (parent != nullptr && (nnodes < 0 || nnodes > static_cast<int>(parent->members.size()) ||
                              (nnodes > 0 && indx == nullptr) || parent->inter)) {
        return raise(call, comm_old, parent->inter ? Wrong::communicator : Wrong::argument);
    }
    auto graph = std::make_shared<Topology>();
    graph->kind = MPI_GRAPH;
    for (int i = 0; i < nnodes; ++i) {
        if (indx[i] < (i == 0 ? 0 : indx[i - 1])) {
            return raise(call, comm_old, Wrong::argument);
        }
    }
    graph->index.assign(indx, indx + nnodes);
    graph->edges.assign(edges, edges + (nnodes == 0 ? 0 : indx[nnodes - 1]));
    return make_child(
        call, comm_old, comm_graph, Kind::graph_create, Told({}, graph_digest(nnodes, indx, edges, reorder)),
        [&](const Communicator& of, const std::vector<Words>&) { return first_members(of, nnodes, graph); });
}

int dist_graph_create(Call& call, MPI_Comm comm_old, int n, const int sources[], const int degrees[],
                      const int destinations[], const int weights[], MPI_Info info, int reorder,
                      MPI_Comm* comm_dist_graph) noexcept {
    if (n < 0 || (n > 0 && (sources == nullptr || degrees == nullptr))) {
        return raise(call, comm_old, Wrong::argument);
    }
    // Edges as source, destination, weight, of any ranks: everybody hears all.
    Words own;
    std::size_t edge = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < degrees[i]; ++j, ++edge) {
            own.push_back(sources[i]);
            own.push_back(destinations[edge]);
            own.push_back(weight_at(weights, edge));
        }
    }
    return make_child(call, comm_old, comm_dist_graph, Kind::dist_graph_create,
                      Told(std::move(own), distributed_graph_digest(weights, info, reorder)),
                      [&](const Communicator& of, const std::vector<Words>& said) -> Planned {
                          auto graph = std::make_shared<Topology>();
                          graph->kind = MPI_DIST_GRAPH;
                          graph->weighted = weighs(weights);
                          for (const Words& words : said) {
                              for (std::size_t i = 0; i + 2 < words.size(); i += 3) {
                                  if (words[i] == of.rank) {
                                      graph->destinations.push_back(static_cast<int>(words[i + 1]));
                                      graph->destination_weights.push_back(static_cast<int>(words[i + 2]));
                                  }
                                  if (words[i + 1] == of.rank) {
                                      graph->sources.push_back(static_cast<int>(words[i]));
                                      graph->source_weights.push_back(static_cast<int>(words[i + 2]));
                                  }
                              }
                          }
                          return Plan{.members = of.members, .peers = {}, .topology = graph};
                      });
}

int dist_graph_create_adjacent(Call& call, MPI_Comm comm_old, int indegree, const int sources[],
                               const int sourceweights[], int outdegree, const int destinations[],
                               const int destweights[], MPI_Info info, int reorder,
                               MPI_Comm* comm_dist_graph) noexcept {
    if (indegree < 0 || outdegree < 0) {
        return raise(call, comm_old, Wrong::argument);
    }
    auto graph = std::make_shared<Topology>();
    graph->kind = MPI_DIST_GRAPH;
    graph->weighted = weighs(sourceweights);
    for (int i = 0; i < indegree; ++i) {
        graph->sources.push_back(sources[i]);
        graph->source_weights.push_back(weight_at(sourceweights, static_cast<std::size_t>(i)));
    }
    for (int i = 0; i < outdegree; ++i) {
        graph->destinations.push_back(destinations[i]);
        graph->destination_weights.push_back(weight_at(destweights, static_cast<std::size_t>(i)));
    }
    const Communicator* const parent = Layer::current()->communicators.find(comm_old);
    std::shared_ptr<const FlowShares> edges;
    if (parent != nullptr) {
        edges = edge_shares(*parent, {indegree, sources, sourceweights}, {outdegree, destinations, destweights});
    }
    return make_child(call, comm_old, comm_dist_graph, Kind::dist_graph_create_adjacent,
                      Told({}, distributed_graph_digest(sourceweights, info, reorder), std::move(edges)),
                      [&](const Communicator& of, const std::vector<Words>&) -> Planned {
                          return Plan{.members = of.members, .peers = {}, .topology = graph};
                      });
}

int intercomm_create(Call& call, MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                     MPI_Comm* newintercomm) noexcept {
    Layer& layer = *Layer::current();
    Communicator* local = layer.communicators.find(local_comm);
    if (local == nullptr || local->inter) {
        return local == nullptr ? PMPI_Comm_dup(local_comm, newintercomm)  // MPI refuses
                                : raise(call, local_comm, Wrong::communicator);
    }
    if (local_leader < 0 || static_cast<std::size_t>(local_leader) >= local->members.size()) {
        return raise(call, local_comm, Wrong::rank, local_leader, static_cast<int>(local->members.size()));
    }
    const bool leads = local->members[static_cast<std::size_t>(local_leader)] == layer.rank();
    const Communicator* peers = leads ? layer.communicators.find(peer_comm) : nullptr;
    if (leads && peers == nullptr) {
        return PMPI_Comm_dup(peer_comm, newintercomm);  // MPI refuses
    }
    if (leads && (remote_leader < 0 || static_cast<std::size_t>(remote_leader) >= peers->peers.size())) {
        return raise(call, local_comm, Wrong::rank, remote_leader, static_cast<int>(peers->peers.size()));
    }
    meet_all(call, *local, Kind::intercomm_create, {});
    RemoteGroup remote = remote_group(call, *local, local_leader, peers, remote_leader, tag);
    const bool disjoint = std::none_of(remote.members.begin(), remote.members.end(),
                                       [&](Rank rank) { return contains(local->members, rank); });
    if (remote.members.empty() || !disjoint) {
        return raise(call, local_comm, Wrong::communicator);
    }
    const int result = make_bare(local_comm, newintercomm);
    if (result != MPI_SUCCESS) {
        return result;
    }
    Communicator& made = follow(call, *newintercomm, {.members = local->members, .peers = std::move(remote.members)});
    baptise(layer, call, local->id, remote.communicator, tag, made);
    tell_of(made);
    // All have come this far or will without waiting for this rank; now both groups learn from each other.
    ++made.collectives;
    exchange_words(call, {.comm = made.id,
                          .operation = blocking_operation(Kind::intercomm_create),
                          .sources = made.peers,
                          .readers = 0,
                          .own = {},
                          .leader = false,
                          .tag = 0,
                          .apart = false});
    return MPI_SUCCESS;
}

int intercomm_merge(Call& call, MPI_Comm intercomm, int high, MPI_Comm* newintracomm) noexcept {
    const Communicator* merged = Layer::current()->communicators.find(intercomm);
    if (merged != nullptr && !merged->inter) {
        return raise(call, intercomm, Wrong::communicator);
    }
    bool group_agrees = true;
    const int result = make_child(
        call, intercomm, newintracomm, Kind::intercomm_merge, Words{high != 0 ? 1 : 0},
        [&](const Communicator& of, const std::vector<Words>& said) -> Planned {
            const Words& own = said[static_cast<std::size_t>(of.rank)];
            const auto group_ends = said.begin() + static_cast<std::ptrdiff_t>(of.members.size());
            group_agrees = std::all_of(said.begin(), group_ends, [&](const Words& each) { return each == own; });
            if (!group_agrees) {
                return std::nullopt;
            }
            const bool local_high = high != 0;
            const bool remote_high = !said[of.members.size()].empty() && said[of.members.size()][0] != 0;
            // Where both say the same, MPICH goes by the first rank of each group.
            const bool local_first = local_high == remote_high ? of.members.front() < of.peers.front() : !local_high;
            Plan plan{.members = local_first ? of.members : of.peers};
            const Ranks& then = local_first ? of.peers : of.members;
            plan.members.insert(plan.members.end(), then.begin(), then.end());
            return plan;
        });
    return result == MPI_SUCCESS && !group_agrees ? deliver(call, intercomm, code_of_difference(call, "high")) : result;
}

int comm_set_name(Call& /*call*/, MPI_Comm comm, const char* comm_name) noexcept {
    const int result = set_name(*Layer::current(), comm, comm_name);
    if (const Communicator* communicator = Layer::current()->communicators.find(comm);
        result == MPI_SUCCESS && communicator != nullptr) {
        RankSide::current()->tell(
            transport::requests::CommunicatorNameCall{.comm = communicator->id, .name = communicator->given_name});
    }
    return result;
}

int comm_free(Call& call, MPI_Comm* comm) noexcept {
    return free_communicator(call, comm, [&] { return PMPI_Comm_free(comm); });
}

int comm_disconnect(Call& call, MPI_Comm* comm) noexcept {
    return free_communicator(call, comm, [&] { return PMPI_Comm_disconnect(comm); });
}

}  // namespace dampi::piggyback::central::calls
