// The collective functions with the centralized engine, in their three forms. What differs between them is the edges
// that they make (collectives/collectives.def, flow.hpp) and how data moves (moves.hpp).
#include "piggyback/central/errors.hpp"
#include "piggyback/central/gathering.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/interception/central_calls.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/errors/errors.hpp"
#include "piggyback/rank/resources/following.hpp"

#include <memory>
#include <utility>

namespace dampi::piggyback::central {
namespace {

using transport::CollectiveForm;
using Kind = transport::Collective;

/// Beside the edges of a collective, what its arguments say of it.
struct Facts {
    int root = no_root;
    MPI_Op op = MPI_OP_NULL;  ///< of a reduction
    MPI_Datatype type = MPI_DATATYPE_NULL;

    static constexpr int no_root = -1000;  ///< none of MPI's names for ranks
};

/// What is wrong with the call, as MPI's code. `moves` are those of valid edges.
int check(const Call& call, const Communicator& communicator, const Moves& moves, const Facts& facts) {
    // As MPICH does: first whether the operator is for such data.
    if (facts.op != MPI_OP_NULL) {
        if (const int code = check_operator(facts.op, facts.type); code != 0) {
            return code;
        }
    }
    for (const Data& piece : moves.pieces) {
        if (const int code = check_data(piece.buffer, piece.count, piece.type, communicator.handle); code != 0) {
            return code;
        }
    }
    for (const Moves::Landing& landing : moves.landings) {
        const Data& data = landing.data;
        if (const int code = check_data(data.buffer, data.count, data.type, communicator.handle); code != 0) {
            return code;
        }
    }
    if (moves.reduction) {
        const Data& data = moves.reduction->result;
        if (const int code = check_data(data.buffer, data.count, data.type, communicator.handle); code != 0) {
            return code;
        }
    }
    return moves.aliased ? code_of(call, Wrong::aliased_buffers) : MPI_SUCCESS;
}

/// A collective that its edges say is refused: MPI says why.
template <typename Native>
int refused(const Call& call, const Communicator& communicator, const Facts& facts, Native&& native) {
    const int root = facts.root;
    const bool exists = root >= 0 && static_cast<std::size_t>(root) < communicator.peers.size();
    if (root != Facts::no_root && !exists && !(communicator.inter && (root == MPI_ROOT || root == MPI_PROC_NULL))) {
        return raise(call, communicator.handle, Wrong::root, root);
    }
    int code = MPI_SUCCESS;
    {
        const QuietErrors quiet;
        code = native();
    }
    return code == MPI_SUCCESS ? raise(call, communicator.handle, Wrong::argument)
                               : deliver(call, communicator.handle, code);
}

/// Whether the call makes sense; `work` is null if not. `native` makes the call where this rank is alone.
template <typename MakeFlow, typename MakeMoves, typename Native>
int prepare(const Call& call, MPI_Comm comm, std::uint32_t operation, const Facts& facts, bool held,
            MakeFlow&& make_flow, MakeMoves&& make_moves, Native&& native, std::shared_ptr<Collective>& work) {
    Communicator* communicator = Layer::current()->communicators.find(comm);
    if (communicator == nullptr) {
        return native();
    }
    const Flow flow = make_flow(*communicator);
    if (!flow.valid) {
        return refused(call, *communicator, facts, native);
    }
    Moves moves = make_moves(*communicator);
    if (const int code = check(call, *communicator, moves, facts); code != MPI_SUCCESS) {
        return deliver(call, comm, code);
    }
    work = std::make_shared<Collective>(*communicator, operation, flow, std::move(moves), held);
    return MPI_SUCCESS;
}

template <typename MakeFlow, typename MakeMoves, typename Native>
int blocking(const Call& call, MPI_Comm comm, Kind kind, const Facts& facts, MakeFlow&& make_flow,
             MakeMoves&& make_moves, Native&& native) {
    std::shared_ptr<Collective> work;
    const int code = prepare(call, comm, operation_number(kind, CollectiveForm::blocking), facts, false, make_flow,
                             make_moves, native, work);
    if (work == nullptr) {
        return code;
    }
    work->start(call);
    MPI_Status status;
    return deliver(call, comm, await(call, *work, status));
}

template <typename MakeFlow, typename MakeMoves, typename Native>
int nonblocking(const Call& call, MPI_Comm comm, MPI_Request* request, Kind kind, const Facts& facts,
                MakeFlow&& make_flow, MakeMoves&& make_moves, Native&& native) {
    std::shared_ptr<Collective> work;
    const int code = prepare(call, comm, operation_number(kind, CollectiveForm::nonblocking), facts, true, make_flow,
                             make_moves, native, work);
    if (work == nullptr) {
        return code;
    }
    work->start(call);
    make_request(call, std::move(work), RequestKind::collective, false, request);
    return MPI_SUCCESS;
}

/// Making a persistent collective must match what the others make; no data flows. Its starts match only each other.
template <typename MakeFlow, typename MakeMoves, typename Native>
int persistent(const Call& call, MPI_Comm comm, MPI_Request* request, Kind kind, const Facts& facts,
               MakeFlow&& make_flow, MakeMoves&& make_moves, Native&& native) {
    std::shared_ptr<Collective> work;
    const std::uint32_t operation = operation_number(kind, CollectiveForm::persistent);
    const int code = prepare(call, comm, operation, facts, true, make_flow, make_moves, native, work);
    if (work == nullptr) {
        return code;
    }
    work->agree(call);
    make_request(call, std::move(work), RequestKind::collective, true, request);
    return MPI_SUCCESS;
}

}  // namespace
}  // namespace dampi::piggyback::central

namespace dampi::piggyback::central::calls {
namespace {

// What these names mean for collectives that have no such parameter.
constexpr int root = Facts::no_root;
constexpr MPI_Op op = MPI_OP_NULL;
constexpr MPI_Datatype datatype = MPI_DATATYPE_NULL;

}  // namespace

/// A list as one macro argument; ends in a comma unless it is empty.
#define DAMPI_LIST(...) __VA_ARGS__

/// What all forms of a collective hand over: what it is, its edges, its moves, and how a rank that is alone does it,
/// whose root has another name.
#define DAMPI_FORM(Name, name, suffix, arguments, edges)                                                  \
    Kind::name, {root, op, datatype}, [&]([[maybe_unused]] Communicator& communicator) { return edges; }, \
        [&](Communicator& communicator) { return name##_moves(arguments communicator); }, [&] {           \
            [[maybe_unused]] constexpr int root = 0;                                                      \
            return PMPI_##Name##suffix(arguments comm);                                                   \
        }

/// The three forms of a collective; parameters as in collectives/bodies.cpp.
#define DAMPI_FORMS(Name, name, suffix, parameters, arguments, edges)                                                 \
    int name##suffix(Call& call, parameters MPI_Comm comm) noexcept {                                                 \
        return blocking(call, comm, DAMPI_FORM(Name, name, suffix, DAMPI_LIST(arguments), DAMPI_LIST(edges)));        \
    }                                                                                                                 \
    int i##name##suffix(Call& call, parameters MPI_Comm comm, MPI_Request* request) noexcept {                        \
        return nonblocking(call, comm, request,                                                                       \
                           DAMPI_FORM(Name, name, suffix, DAMPI_LIST(arguments), DAMPI_LIST(edges)));                 \
    }                                                                                                                 \
    int name##_init##suffix(Call& call, parameters MPI_Comm comm, MPI_Info /*info*/, MPI_Request* request) noexcept { \
        return persistent(call, comm, request,                                                                        \
                          DAMPI_FORM(Name, name, suffix, DAMPI_LIST(arguments), DAMPI_LIST(edges)));                  \
    }

#include "piggyback/rank/collectives/both_widths.def"

#undef DAMPI_FORMS
#undef DAMPI_FORM
#undef DAMPI_LIST

int op_free(Call& /*call*/, MPI_Op* handle) noexcept {
    return freed(ResourceKind::operation, handle, [&] {
        if (!RankSide::current()->operators.free_later(*handle)) {
            return PMPI_Op_free(handle);
        }
        *handle = MPI_OP_NULL;
        return MPI_SUCCESS;
    });
}

}  // namespace dampi::piggyback::central::calls
