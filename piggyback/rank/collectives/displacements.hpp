// The displacements of blocks among a collective's arguments, of which MPI has arrays of two widths.
#pragma once

#include <cstddef>

#include <mpi.h>

namespace dampi::piggyback {

/// Of either width; what it refers to belongs to the program. Null where the program gave none.
class Displacements {
public:
    Displacements(const int* narrow) : narrow_(narrow) {}  // NOLINT(google-explicit-constructor): by overloading
    Displacements(const MPI_Aint* wide) : wide_(wide) {}   // NOLINT(google-explicit-constructor): likewise

    [[nodiscard]] bool null() const { return narrow_ == nullptr && wide_ == nullptr; }
    [[nodiscard]] MPI_Aint operator[](std::size_t index) const {
        return wide_ == nullptr ? narrow_[index] : wide_[index];
    }
    [[nodiscard]] const void* address() const { return wide_ == nullptr ? static_cast<const void*>(narrow_) : wide_; }
    /// Of `entries` of them.
    [[nodiscard]] std::size_t bytes(std::size_t entries) const {
        return entries * (wide_ == nullptr ? sizeof *narrow_ : sizeof *wide_);
    }

private:
    const int* narrow_ = nullptr;
    const MPI_Aint* wide_ = nullptr;
};

}  // namespace dampi::piggyback
