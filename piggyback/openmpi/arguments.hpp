// Arguments through which something comes back: handles, statuses, ranks behind pointers and in arrays. Each of these
// holds what MPICH is given instead of the program's variable and puts into that, when it is gone, what has changed.
#pragma once

#include "piggyback/openmpi/handles.hpp"
#include "piggyback/openmpi/values.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

namespace dampi::piggyback::openmpi {

/// Room for so many without the heap.
inline constexpr std::size_t usual_count = 16;

template <typename Value>
class Room {
public:
    explicit Room(std::size_t count) : size_(count) {
        if (count > few_.size()) {
            many_.resize(count);
        }
    }
    [[nodiscard]] Value* data() { return many_.empty() ? few_.data() : many_.data(); }
    [[nodiscard]] std::size_t size() const { return size_; }

private:
    std::array<Value, usual_count> few_;
    std::vector<Value> many_;
    std::size_t size_;
};

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

/// One handle behind a pointer.
template <Handle (*back)(int) noexcept>
class OneHandle {
public:
    explicit OneHandle(Handle* program)
        : program_(program), given_(program == nullptr ? 0 : to_mpich(*program)), now_(given_) {}
    ~OneHandle() {
        if (program_ != nullptr && now_ != given_) {
            *program_ = back(now_);
        }
    }
    OneHandle(const OneHandle&) = delete;
    OneHandle& operator=(const OneHandle&) = delete;
    [[nodiscard]] int* get() { return program_ == nullptr ? nullptr : &now_; }

private:
    Handle* program_;
    int given_;
    int now_;
};

class OneFile {
public:
    explicit OneFile(Handle* program)
        : program_(program), now_(program == nullptr ? nullptr : file_to_mpich(*program)) {}
    ~OneFile() {
        if (program_ != nullptr) {
            *program_ = file_to_openmpi(now_);
        }
    }
    OneFile(const OneFile&) = delete;
    OneFile& operator=(const OneFile&) = delete;
    [[nodiscard]] MPI_File* get() { return program_ == nullptr ? nullptr : &now_; }

private:
    Handle* program_;
    MPI_File now_;
};

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

/// A status, or that which the program does not want.
class OneStatus {
public:
    explicit OneStatus(Status* program) : program_(program) {
        if (program != nullptr) {
            given_ = now_ = to_mpich(*program);
        }
    }
    ~OneStatus() {
        if (program_ != nullptr) {
            give_back(given_, now_, *program_);
        }
    }
    OneStatus(const OneStatus&) = delete;
    OneStatus& operator=(const OneStatus&) = delete;
    [[nodiscard]] MPI_Status* get() { return program_ == nullptr ? MPI_STATUS_IGNORE : &now_; }

private:
    Status* program_;
    MPI_Status given_{};
    MPI_Status now_{};
};

/// Likewise for an array.
class StatusArray {
public:
    StatusArray(Status* program, int count)
        : program_(program),
          given_(program == nullptr || count < 0 ? 0 : static_cast<std::size_t>(count)),
          now_(given_.size()) {
        for (std::size_t i = 0; i < now_.size(); ++i) {
            given_.data()[i] = now_.data()[i] = to_mpich(program[i]);
        }
    }
    ~StatusArray() {
        for (std::size_t i = 0; i < now_.size(); ++i) {
            give_back(given_.data()[i], now_.data()[i], program_[i]);
        }
    }
    StatusArray(const StatusArray&) = delete;
    StatusArray& operator=(const StatusArray&) = delete;
    [[nodiscard]] MPI_Status* get() { return program_ == nullptr ? MPI_STATUSES_IGNORE : now_.data(); }

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

/// A number behind a pointer that is another one with MPICH.
template <int (*back)(int) noexcept, int (*there)(int) noexcept>
class OneNumber {
public:
    explicit OneNumber(int* program) : program_(program), now_(program == nullptr ? 0 : there(*program)) {}
    ~OneNumber() {
        if (program_ != nullptr) {
            *program_ = back(now_);
        }
    }
    OneNumber(const OneNumber&) = delete;
    OneNumber& operator=(const OneNumber&) = delete;
    [[nodiscard]] int* get() { return program_ == nullptr ? nullptr : &now_; }

private:
    int* program_;
    int now_;
};
using OneRank = OneNumber<rank_to_openmpi, rank_to_mpich>;
using OneKeyval = OneNumber<keyval_to_openmpi, keyval_to_mpich>;

/// How many datatypes MPI_Alltoallw and its kin are given for each direction.
enum class Direction { out, in };
[[nodiscard]] int count_of_peers(MPI_Comm comm);
[[nodiscard]] int count_of_neighbours(MPI_Comm comm, Direction direction);

/// Datatypes that MPICH may look at until an operation is complete, so that they stay: equal lists are one.
[[nodiscard]] const MPI_Datatype* lasting(const Handle* types, int count);

}  // namespace dampi::piggyback::openmpi
