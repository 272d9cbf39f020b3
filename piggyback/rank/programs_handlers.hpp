// Whose handlers of signals are whose.
#pragma once

#include <cstdint>
#include <string_view>

namespace dampi::piggyback {

/// Whether the function is in a library whose file is called so in the beginning.
[[nodiscard]] bool is_of_library(std::uintptr_t function, std::string_view beginning) noexcept;

/// Whether the function, which handles signals, is the program's, and lets the program go on. Not the layer's and the
/// MPI library's, which handle what nobody sends them as a rule, nor those of runtimes that say where a process dies,
/// and let it die (gfortran's, which all its programs have, and the sanitizers'). Asked for each handler again and
/// again, and to find out takes long, so that it remembers.
[[nodiscard]] bool lets_program_go_on(std::uintptr_t handler) noexcept;
/// Whether there is such a one for any signal now.
[[nodiscard]] bool has_programs_handlers() noexcept;

}  // namespace dampi::piggyback
