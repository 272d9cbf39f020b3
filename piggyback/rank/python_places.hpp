// Places in a program that is written in Python: a call of MPI comes from a function of an extension module there,
// which says nothing to the program's author. Asks the interpreter in this process which line of which file is running.
// Such a place has a number of its own, which stands for an address wherever the address of a call does.
//
// Not for programs whose interpreter is older than Python 3.9, or does not show its functions to the rest of the
// process.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace dampi::piggyback {

class Core;

namespace python_places_detail {
inline std::atomic<bool> found{false};
}

/// Looks for an interpreter among the modules of this process; cheap once there is one.
void find_python() noexcept;

/// Where the calling thread is in the Python program, those places left out that are of the package mpi4py and of the
/// import system; 0 outside of Python. Takes the interpreter's lock if the thread does not have it, so it is not to be
/// called with the layer's: a thread that has Python's may wait for that.
[[nodiscard]] std::uint64_t python_site() noexcept;

/// python_site() in a process with an interpreter; elsewhere this costs nothing.
[[nodiscard]] inline std::uint64_t python_site_if_any() noexcept {
    return python_places_detail::found.load(std::memory_order_relaxed) ? python_site() : 0;
}

/// Logs the places that were not logged before. With the layer's lock.
void log_python_places(Core& core);

/// The place and those that it was called from, innermost first, at most `most`; logs them. With the layer's lock; so
/// it is empty where several threads call MPI, and one of them could be waiting as above.
[[nodiscard]] std::vector<std::uint64_t> logged_python_stack(Core& core, std::size_t most);

/// A number for a place that is the same in every run.
[[nodiscard]] std::uint64_t stable_python_place(std::uint64_t place);

}  // namespace dampi::piggyback
