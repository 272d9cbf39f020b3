// Helpers of the bodies beside this file: each passes its call on to MPI and then has the outcome followed.
#pragma once

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/layer.hpp"

#include <cstdint>
#include <type_traits>

#include <mpi.h>

namespace dampi::piggyback {

namespace following_detail {

template <typename Handle>
std::uint64_t key(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>) {
        return reinterpret_cast<std::uintptr_t>(handle);
    } else {
        return static_cast<std::uint32_t>(handle);
    }
}

/// In MPICH's ABI the two highest bits of an integer handle say what it is: 0 null, 1 predefined by MPI,
/// 2 and 3 an object of the program.
template <typename Handle>
bool is_programs_own(Handle handle) {
    if constexpr (std::is_pointer_v<Handle>) {
        return handle != nullptr;
    } else {
        return (static_cast<std::uint32_t>(handle) >> 30) >= 2;
    }
}

}  // namespace following_detail

/// What a creating function returned: when it succeeded, the program holds `*handle` once more.
template <typename Handle>
int made(ResourceKind kind, const Call& call, int result, const Handle* handle) {
    if (result == MPI_SUCCESS && following_detail::is_programs_own(*handle)) {
        Layer& layer = *Layer::current();
        layer.resources.held(kind).add(
            following_detail::key(*handle),
            {call.function(), call.site(), layer.call_stacks.number_of_few(layer, call.site())});
    }
    return result;
}

/// What a function returned that gives out datatypes. They may be predefined ones: those are not for freeing.
inline int made_datatypes(const Call& call, int result, const MPI_Datatype* datatypes, MPI_Count count) {
    for (MPI_Count i = 0; result == MPI_SUCCESS && i < count; ++i) {
        Layer::current()->resources.held(ResourceKind::datatype).given_out(following_detail::key(datatypes[i]));
        int integers = 0;
        int addresses = 0;
        int inner = 0;
        int combiner = MPI_COMBINER_NAMED;
        // The types of pairs (MPI_FLOAT_INT) are predefined, although their handles look like the program's.
        PMPI_Type_get_envelope(datatypes[i], &integers, &addresses, &inner, &combiner);
        if (combiner != MPI_COMBINER_NAMED && combiner != MPI_COMBINER_F90_REAL &&
            combiner != MPI_COMBINER_F90_COMPLEX && combiner != MPI_COMBINER_F90_INTEGER) {
            made(ResourceKind::datatype, call, result, &datatypes[i]);
        }
    }
    return result;
}

/// Calls the freeing function `free_it`; when it succeeds, the program holds `*handle` once less.
template <typename Handle, typename Free>
int freed(ResourceKind kind, Handle* handle, Free&& free_it) {
    const Handle before = handle == nullptr ? Handle{} : *handle;
    const int result = free_it();
    if (result == MPI_SUCCESS) {
        const Call* call = Call::current();
        Layer::current()->resources.held(kind).release(
            following_detail::key(before), call == nullptr ? Origin{} : Origin{call->function(), call->site()});
    }
    return result;
}

}  // namespace dampi::piggyback
