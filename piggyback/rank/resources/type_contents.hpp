// What MPI says that a datatype is made of. Decides nothing, and never changes a datatype.
#pragma once

#include <vector>

#include <mpi.h>

namespace dampi::piggyback {

/// The datatypes that MPI hands out for it are released with it. With errors that return (quiet_errors.hpp).
class TypeContents {
public:
    explicit TypeContents(MPI_Datatype datatype);
    ~TypeContents();
    TypeContents(const TypeContents&) = delete;
    TypeContents& operator=(const TypeContents&) = delete;

    /// False: MPI refuses it.
    [[nodiscard]] bool is_known() const { return is_known_; }
    /// It is predefined, or one of those of MPI_Type_create_f90_*.
    [[nodiscard]] bool is_basic() const;
    [[nodiscard]] int combiner() const { return combiner_; }
    /// The counts that it was made with; behind them there may be other numbers.
    [[nodiscard]] const std::vector<MPI_Count>& numbers() const { return numbers_; }
    [[nodiscard]] const std::vector<MPI_Datatype>& inner() const { return inner_; }

private:
    bool is_known_ = false;
    int combiner_ = MPI_COMBINER_NAMED;
    std::vector<MPI_Count> numbers_;
    std::vector<MPI_Datatype> inner_;
};

}  // namespace dampi::piggyback
