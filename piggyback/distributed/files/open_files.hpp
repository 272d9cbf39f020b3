// The files that this rank has open. Those on communicators that the layer does not know are not here, and what happens
// on them passes through.
#pragma once

#include "piggyback/rank/communicators/communicators.hpp"

#include <memory>
#include <unordered_map>
#include <utility>

#include <mpi.h>

namespace dampi::piggyback::distributed {

class Files {
public:
    /// `group` is a stand-in with the members, on which the file's own collectives meet.
    void add(MPI_File handle, std::shared_ptr<Communicator> group) { groups_[handle] = std::move(group); }
    void remove(MPI_File handle) { groups_.erase(handle); }

    /// Null for a file that the layer does not know.
    [[nodiscard]] std::shared_ptr<Communicator> find(MPI_File handle) const {
        const auto found = groups_.find(handle);
        return found == groups_.end() ? nullptr : found->second;
    }

private:
    std::unordered_map<MPI_File, std::shared_ptr<Communicator>> groups_;
};

}  // namespace dampi::piggyback::distributed
