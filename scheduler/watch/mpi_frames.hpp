// What a stack says of MPI: whether the thread is in a call of it, in which, and where the program made it. Pure.
#pragma once

#include "launch/observe/observed_process.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::scheduler::watch {

/// The function of MPI's whose C or Fortran name the linker knows so ("PMPI_Recv", "mpi_recv_"): "MPI_Recv". Empty for
/// any other name, also of functions that only begin alike.
[[nodiscard]] std::string mpi_function_named(std::string_view symbol);

/// Whether a call of this function may end with "nothing yet", so that who calls it again and again waits.
[[nodiscard]] bool only_asks(std::string_view function);

struct MpiCall {
    std::string function;
    std::size_t caller = 0;  ///< the frame that called it, in the program; as many as there are frames: none
};

/// The outermost call of MPI's in a stack.
[[nodiscard]] std::optional<MpiCall> find_mpi_call(const std::vector<launch::ObservedFrame>& stack);

}  // namespace dampi::scheduler::watch
