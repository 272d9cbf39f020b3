// C++ exceptions that leave the program's error handlers. MPI calls a handler when its call is all but over, yet there
// it is the layer that has called MPI, in the middle of things of its own. So MPI is given a function in the handler's
// place that keeps the exception and returns, and the wrapper, when all that is to be done in the call has been done,
// lets it go on to whoever has called MPI.
#pragma once

#include <mpi.h>

namespace dampi::piggyback {

/// What MPI is to call in the place of the program's handler.
[[nodiscard]] MPI_Comm_errhandler_function* keeping_exceptions(MPI_Comm_errhandler_function* handler) noexcept;
[[nodiscard]] MPI_File_errhandler_function* keeping_exceptions_of_file(MPI_File_errhandler_function* handler) noexcept;

/// The first local variable of a wrapper, so the last that goes: throws what a handler has thrown meanwhile.
class ThrowsAtEnd {
public:
    ThrowsAtEnd() noexcept { ++living; }
    ~ThrowsAtEnd() noexcept(false) {
        --living;
        if (kept != nullptr) [[unlikely]] {
            throw_kept();
        }
    }
    ThrowsAtEnd(const ThrowsAtEnd&) = delete;
    ThrowsAtEnd& operator=(const ThrowsAtEnd&) = delete;

    /// For a handler that is called: keeps the exception that is being handled, where a wrapper will throw it.
    [[nodiscard]] static bool any() noexcept { return living != 0; }
    static void keep_present() noexcept;

private:
    [[noreturn]] static void throw_kept();

    static __thread unsigned living __attribute__((tls_model("initial-exec")));
    static __thread void* kept __attribute__((tls_model("initial-exec")));
};

}  // namespace dampi::piggyback
