// The conditions of piggyback/interception/arguments.def: whether an argument of a call is one that MPI forbids. They
// answer no wherever they cannot tell (a communicator or a request that the layer does not know, a null pointer of
// which another rule speaks), ask MPI nothing that it would hand to an error handler, and change nothing. With the
// lock.
#pragma once

#include "piggyback/rank/arguments/weights.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/collectives/null_buffers.hpp"
#include "piggyback/rank/layer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include <mpi.h>

namespace dampi::piggyback::arguments {

using piggyback::is_root;
using piggyback::Peers;

[[nodiscard]] inline bool is_known(MPI_Comm comm) { return Layer::current()->communicators.find(comm) != nullptr; }

/// Whether the root of this reduction concerns this rank.
[[nodiscard]] inline bool takes_part(MPI_Comm comm, int root) { return root != MPI_PROC_NULL && is_known(comm); }

[[nodiscard]] bool is_intra(MPI_Comm comm);
[[nodiscard]] bool is_inter(MPI_Comm comm);
/// Whether it is one that exists as long as MPI does.
[[nodiscard]] inline bool is_lasting(const MPI_Comm* comm) {
    return comm != nullptr && (*comm == MPI_COMM_WORLD || *comm == MPI_COMM_SELF);
}
/// Whether the program has promised MPI, by the hint mpi_assert_no_any_source, or mpi_assert_no_any_tag, that it will
/// not use this wildcard there.
[[nodiscard]] bool excludes_any_source(MPI_Comm comm);
[[nodiscard]] bool excludes_any_tag(MPI_Comm comm);
/// Whether it is known, and was not made as a topology.
[[nodiscard]] bool has_no_topology(MPI_Comm comm);
[[nodiscard]] bool has_neighbours_before(MPI_Comm comm);
[[nodiscard]] bool has_neighbours_after(MPI_Comm comm);

/// Whether a reduction, or an access to a window, may use the operator for the datatype. Of what the program has made
/// itself the answer is yes, and of all that MPICH refuses by itself.
[[nodiscard]] bool is_defined(MPI_Op op, MPI_Datatype datatype);
[[nodiscard]] inline bool reduces(MPI_Op op, MPI_Datatype datatype) {
    // What is most common; MPI_SUM is not defined for characters.
    return (op == MPI_SUM && (datatype == MPI_INT || datatype == MPI_DOUBLE)) || is_defined(op, datatype);
}
[[nodiscard]] inline bool accumulates(MPI_Op op, MPI_Datatype datatype) {
    return op == MPI_REPLACE || op == MPI_NO_OP || is_defined(op, datatype);
}

/// Whether a datatype of the program's is made of basic ones that surely differ: in size, or only some of which have
/// fractions.
[[nodiscard]] bool mixes_basics(MPI_Datatype datatype);

/// The only representation that there is to pack in has this name (MPI-4.0, section 5.3).
[[nodiscard]] inline bool is_not_external(const char* datarep) {
    return datarep != nullptr && std::strcmp(datarep, "external32") != 0;
}

/// What the call that made a datatype was given, of which MPI_Type_get_envelope tells the numbers.
enum class Made : std::uint8_t { of_integers, of_addresses, of_datatypes };
/// Whether there are more than `most`, which is not negative.
[[nodiscard]] bool made_of_more(MPI_Datatype datatype, Made what, MPI_Count most);

template <typename Number>
[[nodiscard]] bool has_below(Number least, int count, const Number* numbers) {
    return count > 0 && numbers != nullptr &&
           std::any_of(numbers, numbers + count, [&](Number each) { return each < least; });
}
[[nodiscard]] inline bool has_below(MPI_Count least, int count, const MPI_Count* numbers) {
    return has_below<MPI_Count>(least, count, numbers);
}
[[nodiscard]] inline bool has_negative(int count, const int* numbers) { return has_below(0, count, numbers); }
[[nodiscard]] bool has_repeated(int count, const int* ranks);
/// Of triplets (first rank, last rank, stride).
[[nodiscard]] bool has_no_stride(int count, const int (*ranges)[3]);
/// Whether one of the ranks is not in the communicator. MPI_PROC_NULL is passed over.
[[nodiscard]] bool is_outside(MPI_Comm comm, int count, const int* ranks);
[[nodiscard]] int total(int count, const int* numbers);
/// Whether one of them says no way in which an array is distributed.
[[nodiscard]] bool has_no_distribution(int count, const int* distributions);
/// Whether the numbers, if all are positive, have this product.
[[nodiscard]] bool is_product(int product, int count, const int* numbers);
/// Whether the weights of a graph are numbers to be read.
[[nodiscard]] inline bool are_weights(const int* weights) {
    return weights != nullptr && weights != unweighted() && weights != weights_empty();
}

/// Whether displacements of a collective, one for each of these ranks, have overflowed an int; then overflow() says
/// which, and what it was to be. Those of more than 32 bits have not.
[[nodiscard]] bool has_overflowed(MPI_Comm comm, Peers peers, const int* counts, const int* displacements);
/// Likewise in bytes, of blocks of these types.
[[nodiscard]] bool has_overflowed(MPI_Comm comm, Peers peers, const int* counts, const MPI_Datatype* types,
                                  const int* displacements);
[[nodiscard]] constexpr bool has_overflowed(MPI_Comm /*comm*/, Peers /*peers*/, const MPI_Count* /*counts*/,
                                            const MPI_Aint* /*displacements*/) {
    return false;
}
[[nodiscard]] constexpr bool has_overflowed(MPI_Comm /*comm*/, Peers /*peers*/, const MPI_Count* /*counts*/,
                                            const MPI_Datatype* /*types*/, const MPI_Aint* /*displacements*/) {
    return false;
}
/// What the last of them that has found something says, until the next one does.
[[nodiscard]] const char* overflow();

template <typename Number>
[[nodiscard]] bool is_larger(int count, const Number* parts, const Number* wholes) {
    for (int i = 0; parts != nullptr && wholes != nullptr && i < count; ++i) {
        if (parts[i] > wholes[i]) {
            return true;
        }
    }
    return false;
}
/// Whether the part that begins there is outside the whole in one of the dimensions, although it has room in it.
template <typename Number>
[[nodiscard]] bool leaves_array(int count, const Number* starts, const Number* parts, const Number* wholes) {
    for (int i = 0; starts != nullptr && parts != nullptr && wholes != nullptr && i < count; ++i) {
        if (parts[i] <= wholes[i] && (starts[i] < 0 || starts[i] > wholes[i] - parts[i])) {
            return true;
        }
    }
    return false;
}

/// Whether so much data, behind the position, is more than the buffer has.
[[nodiscard]] bool outruns(MPI_Count position, MPI_Count count, MPI_Datatype datatype, MPI_Count size);
template <typename Position>
[[nodiscard]] bool outruns(const Position* position, MPI_Count count, MPI_Datatype datatype, MPI_Count size) {
    return position != nullptr && count > 0 && outruns(MPI_Count{*position}, count, datatype, size);
}

/// Whether the array has a request that its completion frees more than once. (MPICH gives operations that complete at
/// once the same handle: as many of these as there are may stand there.)
[[nodiscard]] bool repeats_request(int count, const MPI_Request* requests);

/// Whether so many statuses do not end before the requests, or begin behind them.
[[nodiscard]] bool reaches_into(int count, const MPI_Status* statuses, const MPI_Request* requests);

/// Whether the array has a persistent request more than once.
[[nodiscard]] bool repeats_persistent(int count, const MPI_Request* requests);

/// Of a collective, not on a file, that has begun and that no call has completed yet.
[[nodiscard]] bool is_of_active_collective(const MPI_Request* request);

/// Of an access to a window, which only a call that completes requests frees.
[[nodiscard]] bool is_of_access(const MPI_Request* request);

/// Whether the group has a process that is not in the window's. False where MPI refuses one of both anyway.
[[nodiscard]] bool has_strangers(MPI_Group group, MPI_Win win);

/// Whether it is one that the program got for windows, files or sessions. (A predefined one is for all.)
[[nodiscard]] bool is_handler_of_others(MPI_Errhandler handler);

/// Whether it is a file that the program has open.
[[nodiscard]] bool is_open(MPI_File file);

/// Whether a file that the program has open was opened with this mode.
[[nodiscard]] bool is_opened(MPI_File file, int mode);

/// Whether MPI refuses a null pointer for this data, which is to go to or come from a file that the program has open.
[[nodiscard]] bool moves_data(MPI_File file, MPI_Count count, MPI_Datatype datatype);

/// Whether data is of other basic types than the etype of the file's view. (Where it is no whole number of etypes MPICH
/// says so.)
[[nodiscard]] bool breaks_view(MPI_File file, MPI_Count count, MPI_Datatype datatype);

/// Of a partitioned transfer that has been started: partitions from `low` to `high`.
[[nodiscard]] bool is_no_partition(MPI_Request request, int low, int high);
[[nodiscard]] bool is_ready(MPI_Request request, int low, int high);
[[nodiscard]] bool is_wrong_list(MPI_Request request, int count, const int* partitions);

// Of what is legal, but unusual

/// The least bound of tags that an MPI library may have.
inline constexpr int portable_tag = 32767;

[[nodiscard]] inline bool is_logical(int value) { return value == 0 || value == 1; }
[[nodiscard]] bool has_no_logical(int count, const int* values);

/// Whether the call is over when it comes back: it neither begins something nor makes a persistent request.
[[nodiscard]] bool is_blocking(const Call& call);
/// Whether this is the rank itself. (Of an intercommunicator no rank is.)
[[nodiscard]] bool is_self(MPI_Comm comm, int rank);
/// Whether there is no other process in it.
[[nodiscard]] bool is_alone(MPI_Comm comm);

/// Whether there are requests, none of which stands for anything that is under way.
[[nodiscard]] bool has_none_active(int count, const MPI_Request* requests);
[[nodiscard]] bool is_cancelled(const MPI_Request* request);
[[nodiscard]] bool is_never_started(const MPI_Request* request);

[[nodiscard]] bool is_predefined(const MPI_Datatype* datatype);
[[nodiscard]] bool is_committed_before(const MPI_Datatype* datatype);

/// Whether a grid of these dimensions has fewer places than the communicator has processes, but one at least.
[[nodiscard]] bool leaves_some_out(MPI_Comm comm, int count, const int* dimensions);

// Of data that is more than a bound of dampi-scale's

/// Whether such bounds are there.
[[nodiscard]] bool knows_bounds();
/// Whether so much for each process is beyond that of the function.
[[nodiscard]] bool is_beyond(const char* function, MPI_Comm comm, MPI_Count count, MPI_Datatype type);
/// Of blocks of different lengths, by their mean.
[[nodiscard]] bool is_beyond(const char* function, MPI_Comm comm, Counts counts, MPI_Datatype type);
/// What the last of them that was true says, until the next one is.
[[nodiscard]] const char* bound();

}  // namespace dampi::piggyback::arguments
