// The process' environment, changed in place and without the C library's functions: a program (bash, say) may define
// these itself, for variables of its own that do not exist yet when the layer is loaded.
#pragma once

namespace dampi::piggyback {

/// A variable that find_variable() knows of beside the environment, until it is removed: its value is another one in
/// each run, and would leave traces in the program's heap there. Both live as long.
void lend_variable(const char* name, const char* value) noexcept;

/// The value; null without such a variable.
[[nodiscard]] const char* find_variable(const char* name) noexcept;

void remove_variable(const char* name) noexcept;

/// Does nothing if the environment does not have the variable.
void replace_variable(const char* name, const char* value) noexcept;

}  // namespace dampi::piggyback
