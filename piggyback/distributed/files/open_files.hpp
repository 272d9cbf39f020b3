// The files that this rank has open. Those on communicators that the layer does not know are not here, and what happens
// on them passes through.
#pragma once

#include "piggyback/rank/buffers/pending.hpp"
#include "piggyback/rank/communicators/communicators.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

#include <mpi.h>

namespace dampi::piggyback::distributed {

struct OpenFile {
    /// A stand-in with the members, on which the file's own collectives meet.
    std::shared_ptr<Communicator> group;
    /// The call that has begun a split collective, which has not ended (a string literal); null: there is none.
    const char* split = nullptr;
    std::uint64_t split_site = 0;
    HeldBuffers split_buffers;
};

class Files {
public:
    void add(MPI_File handle, std::shared_ptr<Communicator> group) {
        files_.erase(handle);
        files_[handle].group = std::move(group);
    }
    void remove(MPI_File handle) { files_.erase(handle); }

    /// Null for a file that the layer does not know. Valid until it is removed.
    [[nodiscard]] OpenFile* find(MPI_File handle) {
        const auto found = files_.find(handle);
        return found == files_.end() ? nullptr : &found->second;
    }

private:
    std::unordered_map<MPI_File, OpenFile> files_;
};

}  // namespace dampi::piggyback::distributed
