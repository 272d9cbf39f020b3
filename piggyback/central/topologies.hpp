// The process topologies of this rank's communicators, as the centralized engine has them.
#pragma once

#include "piggyback/central/topology.hpp"
#include "piggyback/rank/handle_map.hpp"

#include <memory>
#include <utility>

#include <mpi.h>

namespace dampi::piggyback::central {

class Topologies {
public:
    void set(MPI_Comm comm, std::shared_ptr<const Topology> topology) {
        by_handle_.erase(comm);
        by_handle_.insert(comm, std::move(topology));
    }
    void remove(MPI_Comm comm) { by_handle_.erase(comm); }
    /// Null for a communicator without one.
    [[nodiscard]] std::shared_ptr<const Topology> find(MPI_Comm comm) {
        const auto* found = by_handle_.find(comm);
        return found == nullptr ? nullptr : *found;
    }

private:
    HandleMap<std::shared_ptr<const Topology>> by_handle_;
};

}  // namespace dampi::piggyback::central
