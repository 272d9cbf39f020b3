// Variables in common blocks whose addresses Fortran programs give instead of an argument, and what C programs give.
// Where the program's executable has them too, its own are meant.
#pragma once

#include "piggyback/openmpi/abi.hpp"

extern "C" {
#define SENTINEL(name, size) extern __attribute__((visibility("default"))) char mpi_fortran_##name##_[size];
#include "piggyback/openmpi/fortran/sentinels.def"
#undef SENTINEL
}

namespace dampi::piggyback::openmpi::fortran {

/// MPI_IN_PLACE where it is meant.
template <typename Pointer>
[[nodiscard]] bool is_in_place(Pointer buffer) noexcept {
    return static_cast<const void*>(buffer) == mpi_fortran_in_place_;
}

/// MPI_BOTTOM and MPI_IN_PLACE.
template <typename Pointer>
[[nodiscard]] Pointer c_buffer(Pointer given) noexcept {
    if (is_in_place(given)) {
        return reinterpret_cast<Pointer>(in_place);
    }
    return static_cast<const void*>(given) == mpi_fortran_bottom_ ? nullptr : given;
}

/// MPI_STATUS_IGNORE and MPI_STATUSES_IGNORE.
[[nodiscard]] inline Status* c_statuses(int* given) noexcept {
    const void* const address = given;
    return address == mpi_fortran_status_ignore_ || address == mpi_fortran_statuses_ignore_
               ? nullptr
               : reinterpret_cast<Status*>(given);
}
[[nodiscard]] inline const Status* c_statuses(const int* given) noexcept { return c_statuses(const_cast<int*>(given)); }

/// MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY.
template <typename Pointer>
[[nodiscard]] Pointer c_weights(Pointer given) noexcept {
    const void* const address = given;
    return address == mpi_fortran_unweighted_      ? reinterpret_cast<Pointer>(unweighted)
           : address == mpi_fortran_weights_empty_ ? reinterpret_cast<Pointer>(weights_empty)
                                                   : given;
}

[[nodiscard]] inline int* c_error_codes(int* given) noexcept {
    return static_cast<const void*>(given) == mpi_fortran_errcodes_ignore_ ? nullptr : given;
}

}  // namespace dampi::piggyback::openmpi::fortran
