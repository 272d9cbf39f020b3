// Functions of the program by name, as users give them. Pure.
#pragma once

#include "replay/epoch.hpp"

#include <string>

namespace dampi::replay {

/// Whether a name with the shell's wildcards * ? [...] is that of the function at the place: with its parameters, or
/// without; of C++ templates also without their arguments and what is returned. No function: no.
[[nodiscard]] bool names_function(const std::string& pattern, const CodePlace& place);

}  // namespace dampi::replay
