// What else is passed in calls and has other values with Open MPI than with MPICH: ranks, addresses, statuses, error
// codes, and the constants of single functions. `to_mpich` is towards the library, `to_openmpi` towards the program.
#pragma once

#include "piggyback/openmpi/abi.hpp"
#include "piggyback/openmpi/handles.hpp"

#include <mpi.h>

namespace dampi::piggyback::openmpi {

/// The wildcard and those that are no process; any other stays as it is, and what neither knows is known to neither.
[[nodiscard]] int rank_to_mpich(int rank) noexcept;
[[nodiscard]] int rank_to_openmpi(int rank) noexcept;

/// A buffer of a collective operation: MPI_IN_PLACE.
template <typename Pointer>
[[nodiscard]] Pointer buffer_to_mpich(Pointer buffer) noexcept {
    return reinterpret_cast<std::size_t>(buffer) == in_place ? static_cast<Pointer>(MPI_IN_PLACE) : buffer;
}

/// The weights of a graph's edges.
template <typename Pointer>
[[nodiscard]] Pointer weights_to_mpich(Pointer weights) noexcept {
    const auto value = reinterpret_cast<std::size_t>(weights);
    return value == unweighted      ? static_cast<Pointer>(MPI_UNWEIGHTED)
           : value == weights_empty ? static_cast<Pointer>(MPI_WEIGHTS_EMPTY)
                                    : weights;
}

[[nodiscard]] MPI_Status to_mpich(const Status& status) noexcept;
[[nodiscard]] Status to_openmpi(const MPI_Status& status) noexcept;

/// Error codes. Of MPICH's the program gets the class, as Open MPI itself gives hardly anything else; those that the
/// program has made itself stay.
[[nodiscard]] int code_to_mpich(int code) noexcept;
[[nodiscard]] int code_to_openmpi(int code) noexcept;

[[nodiscard]] int assert_to_mpich(int assert) noexcept;
[[nodiscard]] int lock_type_to_mpich(int type) noexcept;
[[nodiscard]] int order_to_mpich(int order) noexcept;
[[nodiscard]] int order_to_openmpi(int order) noexcept;
[[nodiscard]] int distribution_to_mpich(int distribution) noexcept;
[[nodiscard]] int distribution_to_openmpi(int distribution) noexcept;
[[nodiscard]] int distribution_argument_to_mpich(int argument) noexcept;
[[nodiscard]] int distribution_argument_to_openmpi(int argument) noexcept;
[[nodiscard]] int typeclass_to_mpich(int typeclass) noexcept;
[[nodiscard]] int split_type_to_mpich(int type) noexcept;
[[nodiscard]] int topology_to_openmpi(int topology) noexcept;
[[nodiscard]] int combiner_to_openmpi(int combiner) noexcept;
[[nodiscard]] int keyval_to_mpich(int keyval) noexcept;
[[nodiscard]] int keyval_to_openmpi(int keyval) noexcept;

}  // namespace dampi::piggyback::openmpi
