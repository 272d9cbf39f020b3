// Which programs the centralized engine can run: those that use only what it models. What a program calls nevertheless
// is refused when it does (RefusedCall).
#pragma once

#include "launch/program/program.hpp"

#include <optional>
#include <string>

namespace dampi::scheduler::central {

/// Why it cannot run the program, a phrase for people that names a function; nothing if it can, as far as the program's
/// file shows.
[[nodiscard]] std::optional<std::string> obstacle(const launch::Program& program);

}  // namespace dampi::scheduler::central
