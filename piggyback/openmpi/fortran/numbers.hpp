// Handles of Fortran programs, which are numbers: what they are in C, and back.
#pragma once

#include "piggyback/openmpi/by_hand.hpp"
#include "piggyback/openmpi/room.hpp"

#include <cstddef>

namespace dampi::piggyback::openmpi::fortran {

template <Handle (*there)(MPI_Fint), MPI_Fint (*back)(Handle)>
struct ClassOfHandles {
    static Handle handle(int number) { return there(number); }
    static int number(Handle handle) { return back(handle); }
};
using Comm = ClassOfHandles<dampi_openmpi_comm_f2c, dampi_openmpi_comm_c2f>;
using Group = ClassOfHandles<dampi_openmpi_group_f2c, dampi_openmpi_group_c2f>;
using Datatype = ClassOfHandles<dampi_openmpi_type_f2c, dampi_openmpi_type_c2f>;
using Request = ClassOfHandles<dampi_openmpi_request_f2c, dampi_openmpi_request_c2f>;
using Message = ClassOfHandles<dampi_openmpi_message_f2c, dampi_openmpi_message_c2f>;
using Op = ClassOfHandles<dampi_openmpi_op_f2c, dampi_openmpi_op_c2f>;
using Info = ClassOfHandles<dampi_openmpi_info_f2c, dampi_openmpi_info_c2f>;
using Errhandler = ClassOfHandles<dampi_openmpi_errhandler_f2c, dampi_openmpi_errhandler_c2f>;
using Win = ClassOfHandles<dampi_openmpi_win_f2c, dampi_openmpi_win_c2f>;
using File = ClassOfHandles<dampi_openmpi_file_f2c, dampi_openmpi_file_c2f>;

/// A variable with a handle that the call may change.
template <typename Class>
class OneNumber {
public:
    explicit OneNumber(int* program) : program_(program), given_(Class::handle(*program)), now_(given_) {}
    ~OneNumber() {
        if (now_ != given_) {
            *program_ = Class::number(now_);
        }
    }
    OneNumber(const OneNumber&) = delete;
    OneNumber& operator=(const OneNumber&) = delete;
    [[nodiscard]] Handle* get() { return &now_; }

private:
    int* program_;
    Handle given_;
    Handle now_;
};

/// Likewise of an array that the call does not change; a null pointer stays one.
template <typename Class>
class Numbers {
public:
    Numbers(const int* program, int count)
        : is_there_(program != nullptr), handles_(is_there_ && count > 0 ? static_cast<std::size_t>(count) : 0) {
        for (std::size_t i = 0; i < handles_.size(); ++i) {
            handles_.data()[i] = Class::handle(program[i]);
        }
    }
    [[nodiscard]] Handle* get() { return is_there_ ? handles_.data() : nullptr; }
    [[nodiscard]] std::size_t size() const { return handles_.size(); }

private:
    bool is_there_;
    Room<Handle> handles_;
};

/// Likewise of an array that the call may change.
template <typename Class>
class ChangedNumbers {
public:
    ChangedNumbers(int* program, int count) : program_(program), given_(program, count), now_(program, count) {}
    ~ChangedNumbers() {
        for (std::size_t i = 0; i < now_.size(); ++i) {
            if (now_.get()[i] != given_.get()[i]) {
                program_[i] = Class::number(now_.get()[i]);
            }
        }
    }
    ChangedNumbers(const ChangedNumbers&) = delete;
    ChangedNumbers& operator=(const ChangedNumbers&) = delete;
    [[nodiscard]] Handle* get() { return now_.get(); }

private:
    int* program_;
    Numbers<Class> given_;
    Numbers<Class> now_;
};

/// The argument IERROR, which a program may leave out (mpi_f08).
inline void tell(int* error, int code) noexcept {
    if (error != nullptr) {
        *error = code;
    }
}

/// A LOGICAL that came back, in gfortran's values.
inline void make_logical(int* value) noexcept { *value = *value != 0 ? 1 : 0; }

/// Indices in arrays begin with 1; MPI_UNDEFINED stays.
inline void count_from_one(int* index) noexcept { *index += *index >= 0 ? 1 : 0; }

}  // namespace dampi::piggyback::openmpi::fortran
