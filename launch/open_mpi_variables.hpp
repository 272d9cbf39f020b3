// What Open MPI's launcher tells ranks in their environment: programs read it before MPI_Init, to choose a device, say.
// The ranks of Open MPI's programs get it from us.
#pragma once

#include "base/types.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace dampi::launch {

/// Where the environment that is meant for a job has it, its ranks get theirs, too.
inline constexpr const char* open_mpi_size = "OMPI_COMM_WORLD_SIZE";

/// The same in all ranks; `here`: how many of them are on this machine.
[[nodiscard]] inline std::vector<std::pair<std::string, std::string>> open_mpi_variables(int processes, int here) {
    const std::string all = std::to_string(processes);
    return {{open_mpi_size, all},        {"OMPI_COMM_WORLD_LOCAL_SIZE", std::to_string(here)},
            {"OMPI_UNIVERSE_SIZE", all}, {"OMPI_APP_CTX_NUM_PROCS", all},
            {"OMPI_NUM_APP_CTX", "1"},   {"OMPI_FIRST_RANKS", "0"}};
}

/// The rank's own; `here`: which it is of those on this machine.
[[nodiscard]] inline std::vector<std::pair<std::string, std::string>> open_mpi_variables_of(base::Rank rank, int here) {
    return {{"OMPI_COMM_WORLD_RANK", std::to_string(rank)},
            {"OMPI_COMM_WORLD_LOCAL_RANK", std::to_string(here)},
            {"OMPI_COMM_WORLD_NODE_RANK", std::to_string(here)},
            {"PMIX_RANK", std::to_string(rank)}};
}

[[nodiscard]] inline bool has_open_mpi_variables(const std::vector<std::pair<std::string, std::string>>& environment) {
    return std::any_of(environment.begin(), environment.end(),
                       [](const auto& each) { return each.first == open_mpi_size; });
}

}  // namespace dampi::launch
