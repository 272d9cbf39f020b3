// Where the variables of a process stand: the integers of the functions on the stack of its first thread, by the debug
// information of their modules.
#pragma once

#include "launch/program/variables.hpp"

#include <vector>

#include <sys/types.h>

namespace dampi::scheduler::watch {

/// Those of inner functions first; empty where nothing is known. Stops the thread for about a millisecond.
[[nodiscard]] std::vector<launch::LocalNumber> read_variables(pid_t process);

}  // namespace dampi::scheduler::watch
