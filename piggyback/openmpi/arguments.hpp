// Arguments through which something comes back: handles, statuses, ranks behind pointers and in arrays. Each of these
// holds what MPICH is given instead of the program's variable and puts into that, when it is gone, what has changed.
#pragma once

#include "piggyback/openmpi/handles.hpp"
#include "piggyback/openmpi/room.hpp"
#include "piggyback/openmpi/values.hpp"

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace dampi::piggyback::openmpi {

/// Handles in an array; a null pointer stays one. `written`: MPICH may change them.
template <bool written>
class HandleArray {
public:
    using Program = std::conditional_t<written, Handle*, const Handle*>;

    HandleArray(Program program, int count)
        : program_(program),
          given_(program == nullptr || count < 0 ? 0 : static_cast<std::size_t>(count)),
          now_(given_.size()) {
        for (std::size_t i = 0; i < given_.size(); ++i) {
            given_.data()[i] = now_.data()[i] = to_mpich(program[i]);
        }
    }
    ~HandleArray() {
        if constexpr (written) {
            for (std::size_t i = 0; i < given_.size(); ++i) {
                if (now_.data()[i] != given_.data()[i]) {
                    program_[i] = to_openmpi(now_.data()[i]);
                }
            }
        }
    }
    HandleArray(const HandleArray&) = delete;
    HandleArray& operator=(const HandleArray&) = delete;
    [[nodiscard]] int* get() { return program_ == nullptr ? nullptr : now_.data(); }

private:
    Program program_;
    Room<int> given_;
    Room<int> now_;
};

/// A value behind a pointer.
template <typename Program, typename Mpich, Mpich (*there)(Program) noexcept, Program (*back)(Mpich) noexcept>
class One {
public:
    explicit One(Program* program)
        : program_(program), given_(program == nullptr ? Mpich{} : there(*program)), now_(given_) {}
    ~One() {
        if (program_ != nullptr && now_ != given_) {
            *program_ = back(now_);
        }
    }
    One(const One&) = delete;
    One& operator=(const One&) = delete;
    [[nodiscard]] Mpich* get() { return program_ == nullptr ? nullptr : &now_; }

private:
    Program* program_;
    Mpich given_;
    Mpich now_;
};
template <Handle (*back)(int) noexcept>
using OneHandle = One<Handle, int, to_mpich, back>;
using OneFile = One<Handle, MPI_File, file_to_mpich, file_to_openmpi>;
using OneRank = One<int, int, rank_to_mpich, rank_to_openmpi>;
using OneKeyval = One<int, int, keyval_to_mpich, keyval_to_openmpi>;

/// What MPICH has changed of a status; the rest stays what the program has there, if it is garbage.
inline void give_back(const MPI_Status& given, const MPI_Status& now, Status& program) noexcept {
    if (std::memcmp(&given, &now, sizeof now) == 0) {
        return;
    }
    const int error = program.error;
    program = to_openmpi(now);
    if (given.MPI_ERROR == now.MPI_ERROR) {
        program.error = error;
    }
}

/// A status or some, or those that the program does not want.
class Statuses {
public:
    explicit Statuses(Status* program, int count = 1)
        : program_(program),
          given_(program == nullptr || count < 0 ? 0 : static_cast<std::size_t>(count)),
          now_(given_.size()) {
        for (std::size_t i = 0; i < now_.size(); ++i) {
            given_.data()[i] = now_.data()[i] = to_mpich(program[i]);
        }
    }
    ~Statuses() {
        for (std::size_t i = 0; i < now_.size(); ++i) {
            give_back(given_.data()[i], now_.data()[i], program_[i]);
        }
    }
    Statuses(const Statuses&) = delete;
    Statuses& operator=(const Statuses&) = delete;
    /// MPI_STATUSES_IGNORE is the same.
    [[nodiscard]] MPI_Status* get() { return program_ == nullptr ? MPI_STATUS_IGNORE : now_.data(); }

private:
    Status* program_;
    Room<MPI_Status> given_;
    Room<MPI_Status> now_;
};

/// A status that is only read; none is none.
class ReadStatus {
public:
    explicit ReadStatus(const Status* program) : is_there_(program != nullptr) {
        if (is_there_) {
            now_ = to_mpich(*program);
        }
    }
    [[nodiscard]] const MPI_Status* get() const { return is_there_ ? &now_ : nullptr; }

private:
    bool is_there_;
    MPI_Status now_{};
};

/// How many datatypes MPI_Alltoallw and its kin are given for each direction.
enum class Direction { out, in };
[[nodiscard]] int count_of_peers(MPI_Comm comm);
[[nodiscard]] int count_of_neighbours(MPI_Comm comm, Direction direction);

/// Datatypes that MPICH may look at until an operation is complete, so that they stay: equal lists are one.
[[nodiscard]] const MPI_Datatype* lasting(const Handle* types, int count);

}  // namespace dampi::piggyback::openmpi
