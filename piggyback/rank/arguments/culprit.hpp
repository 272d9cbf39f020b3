// Which argument of a call MPI has refused. MPI says what kind of error it is, and sometimes a name; the table of the
// function's parameters says which arguments can be meant, and their values which of them are.
#pragma once

#include "piggyback/rank/arguments/parameters.hpp"
#include "piggyback/rank/call.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace dampi::piggyback {

/// The position of the argument, from 0; nothing where several may be meant. `arguments` are those of a call of the
/// function; `sentence` is MPI's. Asks MPI, so errors must be quiet.
[[nodiscard]] std::optional<unsigned> culprit(Parameters parameters, const void* arguments, int error_class,
                                              std::string_view sentence);

/// The value of an argument: a number or a handle, sign extended, or an address.
[[nodiscard]] std::int64_t value_of(const ParameterOf& parameter, const void* arguments);

}  // namespace dampi::piggyback
