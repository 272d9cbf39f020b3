// The light layer of dampi-watch: counts a rank's calls of MPI and says in which one it is, in a board that the monitor
// reads (transport/watch). It orders nothing, delays nothing and changes no result; without the monitor's variable in
// the environment it does nothing at all. It knows no MPI library: arguments pass through it as they are.
#pragma once

#include "piggyback/watch/shapes.hpp"
#include "transport/watch/watch_board.hpp"

#include <cstdint>

namespace dampi::piggyback::watch {

/// A function of MPI that is watched; one for each wrapper.
struct Function {
    const char* name;
    void* next;            ///< the MPI library's own; found at the first call
    std::uint32_t number;  ///< in the board
    int flag = -1;         ///< the argument that points to whether it has found something; -1: it waits
    Shape shape = {};
    bool only_tells = false;  ///< when it has found something, that is there as before
};

/// Where a call was when it began.
struct Entered {
    transport::watch::Caller* caller = nullptr;  ///< null: nobody watches, or MPI itself makes this call
    std::uint64_t last_progress = 0;
    std::uint64_t requests = 0;  ///< that are tested: a digest; 0: none
};

/// The MPI library's function. Ends the process with a sentence where there is none.
[[nodiscard]] void* find_next(Function& function) noexcept;

/// `arguments`: fourteen. `frame`: where the stack of the wrapper's caller ends. Any thread.
[[nodiscard]] Entered enter(const Function& function, const void* site, const void* frame,
                            const std::uint64_t* arguments) noexcept;

/// `success`: with MPI_SUCCESS; `found`: whether a call with a flag has found something.
void leave(const Function& function, const Entered& entered, const std::uint64_t* arguments, bool success,
           bool found) noexcept;

/// After MPI_Init: who this process is.
void learn_rank() noexcept;
/// After MPI_Finalize.
void end() noexcept;

}  // namespace dampi::piggyback::watch
