// Arguments that a wrapper has found to be wrong before MPI sees them (piggyback/interception/arguments.def): the
// finding, and the error of a call that is not made. Which of a call's arguments MPI has refused is told by
// culprit.hpp.
#pragma once

#include "piggyback/rank/call.hpp"
#include "piggyback/rank/layer.hpp"
#include "piggyback/rank/resources/following.hpp"

#include <mpi.h>

namespace dampi::piggyback {

struct WrongArgument {
    int error_class = MPI_ERR_ARG;
    unsigned position = 0;  ///< among the function's parameters, from 0
    const char* wrong = "";
};

/// Looks at a call that is only passed through: holds the lock as long as it lives, if there is one.
class PassedCall {
public:
    /// `return_address` is that of the wrapper.
    explicit PassedCall(const void* return_address) noexcept;
    ~PassedCall();
    PassedCall(const PassedCall&) = delete;
    PassedCall& operator=(const PassedCall&) = delete;

    /// Whether it is the program's own, between MPI_Init and MPI_Finalize; else nothing is to be looked at.
    [[nodiscard]] bool is_programs() const { return programs_; }
    /// Whether it is the program's own, and MPI has been finalized, or not begun.
    [[nodiscard]] bool is_late() const { return late_; }
    void unlock() noexcept;

private:
    bool programs_ = false;
    bool late_ = false;
    bool locked_ = false;
};

/// As long as it lives, a call that is passed through is the one that its thread is in, as seen from outside. For those
/// on files: where an error is fatal there, MPI ends the rank and tells nobody before.
class NotedCall {
public:
    /// `return_address` is that of the wrapper.
    NotedCall(const char* function, const void* return_address) noexcept;
    ~NotedCall();
    NotedCall(const NotedCall&) = delete;
    NotedCall& operator=(const NotedCall&) = delete;

private:
    bool noted_ = false;
};

/// Records the finding. The call goes on.
void note_argument(const Call& call, const WrongArgument& argument) noexcept;
void note_argument(PassedCall& look, const Function& function, const void* arguments, const void* return_address,
                   const WrongArgument& argument) noexcept;

/// Whether the user wants to know of what is legal, but unusual.
[[nodiscard]] inline bool warns_unusual() noexcept { return Layer::current()->warns_unusual; }
/// Notes such an argument. The call goes on.
void note_unusual(const Call& call, const WrongArgument& argument) noexcept;
void note_unusual(PassedCall& look, const Function& function, const void* arguments, const void* return_address,
                  const WrongArgument& argument) noexcept;

/// As note_argument(), and hands an error to the handler of `comm` (MPI_COMM_NULL: to that of MPI_COMM_WORLD), which
/// may not come back: what the call is to return.
int refuse_argument(const Call& call, MPI_Comm comm, const WrongArgument& argument) noexcept;
int refuse_argument(PassedCall& look, const Function& function, const void* arguments, const void* return_address,
                    MPI_Comm comm, const WrongArgument& argument) noexcept;
/// Likewise, to that of a file.
int refuse_argument(const Call& call, MPI_File file, const WrongArgument& argument) noexcept;
int refuse_argument(PassedCall& look, const Function& function, const void* arguments, const void* return_address,
                    MPI_File file, const WrongArgument& argument) noexcept;

/// Whether the program has freed this handle and not got it again.
template <typename Handle>
[[nodiscard]] bool is_freed(ResourceKind kind, Handle handle) noexcept {
    return following_detail::is_programs_own(handle) &&
           Layer::current()->resources.is_stale(kind, following_detail::key(handle));
}
template <typename Handle>
[[nodiscard]] bool is_freed_there(ResourceKind kind, const Handle* handle) noexcept {
    return handle != nullptr && is_freed(kind, *handle);
}

namespace wrong_argument_detail {
bool is_kept(MPI_Comm handle) noexcept;
}  // namespace wrong_argument_detail

/// Whether the program has freed this communicator, and MPI takes it all the same, since a persistent request of a
/// message has it still. (Of others MPI says so.)
[[nodiscard]] inline bool is_freed_and_kept(MPI_Comm handle) noexcept {
    return Layer::current()->communicators.find(handle) == nullptr && wrong_argument_detail::is_kept(handle);
}

}  // namespace dampi::piggyback
