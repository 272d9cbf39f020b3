// Whose handlers of signals are whose.
#pragma once

#include <cstdint>
#include <string_view>

namespace dampi::piggyback {

/// Whether the function is in a library whose file is called so in the beginning.
[[nodiscard]] bool is_of_library(std::uintptr_t function, std::string_view beginning) noexcept;

/// Whether the function, which handles signals, is the program's, and not the layer's or the MPI library's, which
/// handle what nobody sends them as a rule.
[[nodiscard]] bool is_programs_handler(std::uintptr_t handler) noexcept;

/// Whether the handler is that of a runtime which says where a process dies, and lets it die: gfortran's, which all its
/// programs have, and the sanitizers'.
[[nodiscard]] bool only_tells_of_death(std::uintptr_t handler) noexcept;

}  // namespace dampi::piggyback
