// Settings of MPICH and UCX that make a job's start-up cheaper without the program being able to tell.
#pragma once

#include "replay/program.hpp"

#include <string>
#include <utility>
#include <vector>

namespace dampi::replay {

/// Variables to add to the ranks' environment for this program. Never one that the user has set, in our
/// environment or in `chosen` (what he wants in the ranks' environment), nor one that would defeat such a
/// setting. Empty for a program for which nothing is safe.
std::vector<std::pair<std::string, std::string>> transport_environment(
    const Program& program, const std::vector<std::pair<std::string, std::string>>& chosen = {});

}  // namespace dampi::replay
