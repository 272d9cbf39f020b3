// The allocation of Slurm's in which dampi-run was started, as salloc and sbatch tell it by the environment: which
// nodes it has, and how many tasks are to be on each.
#pragma once

#include "scheduler/host_list.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::scheduler {

/// The nodes over which ranks are to be spread. Empty outside of an allocation, in one of a single node, and in a step
/// of an allocation that has another number of nodes. Throws dampi::Error where Slurm does not say which nodes there
/// are.
[[nodiscard]] std::vector<HostLine> hosts_of_allocation();

/// All its tasks; 0 outside of an allocation, and in a step of one.
[[nodiscard]] int tasks_of_allocation();

/// The command that runs another one on a node of the allocation, whose name and which follow: in ssh's place.
[[nodiscard]] std::string shell_of_allocation();

/// As SLURM_TASKS_PER_NODE has them, "2(x3),1": of each node. Nothing: it is no such list.
[[nodiscard]] std::optional<std::vector<std::uint32_t>> tasks_of_nodes(std::string_view text);

}  // namespace dampi::scheduler
