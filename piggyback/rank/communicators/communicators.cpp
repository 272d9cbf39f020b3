#include "piggyback/rank/communicators/communicators.hpp"

#include "piggyback/rank/communicators/past_communicators.hpp"

#include <numeric>

namespace dampi::piggyback {
std::vector<base::Rank> Communicators::world_ranks(MPI_Group group) const {
    int size = 0;
    if (group == MPI_GROUP_NULL || PMPI_Group_size(group, &size) != MPI_SUCCESS) {
        return {};
    }
    std::vector<int> own(static_cast<std::size_t>(size));
    std::iota(own.begin(), own.end(), 0);
    std::vector<base::Rank> world(own.size(), MPI_UNDEFINED);
    PMPI_Group_translate_ranks(group, size, own.data(), world_, world.data());
    return std::find(world.begin(), world.end(), MPI_UNDEFINED) == world.end() ? world : std::vector<base::Rank>{};
}

void Communicators::add_predefined(int world_rank, int world_size) {
    auto world = std::make_unique<Communicator>();
    world->handle = MPI_COMM_WORLD;
    world->name = "MPI_COMM_WORLD";
    world->given_name = world->name;
    world->id = base::world_comm;
    world->rank = world_rank;
    world->members.resize(static_cast<std::size_t>(world_size));
    std::iota(world->members.begin(), world->members.end(), 0);
    world->peers = world->members;
    world->sent.resize(world->peers.size());
    by_handle_.insert(MPI_COMM_WORLD, std::move(world));

    auto self = std::make_unique<Communicator>();
    self->handle = MPI_COMM_SELF;
    self->name = "MPI_COMM_SELF";
    self->given_name = self->name;
    self->id = base::world_comm + 1 + static_cast<base::CommId>(world_rank);  // one for each rank
    self->members = {world_rank};
    self->peers = self->members;
    self->sent.resize(1);
    by_handle_.insert(MPI_COMM_SELF, std::move(self));
}

Communicator* Communicators::add(MPI_Comm handle, base::CommId id, const char* made_by, std::uint64_t site) {
    auto added = std::make_unique<Communicator>();
    added->handle = handle;
    added->id = id;
    added->made_by = made_by;
    added->site = site;
    PMPI_Comm_rank(handle, &added->rank);
    int inter = 0;
    PMPI_Comm_test_inter(handle, &inter);
    added->inter = inter != 0;
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Comm_group(handle, &group);
    added->members = world_ranks(group);
    PMPI_Group_free(&group);
    if (added->inter) {
        PMPI_Comm_remote_group(handle, &group);
        added->peers = world_ranks(group);
        PMPI_Group_free(&group);
    } else {
        added->peers = added->members;
    }
    if (added->members.empty() || added->peers.empty()) {
        return nullptr;
    }
    added->sent.resize(added->peers.size());
    remove(handle);
    return by_handle_.insert(handle, std::move(added)).get();
}

Communicator* Communicators::add_duplicate(MPI_Comm handle, const Communicator& original, const char* made_by,
                                           std::uint64_t site) {
    auto added = std::make_unique<Communicator>();
    added->handle = handle;
    added->made_by = made_by;
    added->site = site;
    added->inter = original.inter;
    added->rank = original.rank;
    added->members = original.members;
    added->peers = original.peers;
    added->sent.resize(added->peers.size());
    remove(handle);
    return by_handle_.insert(handle, std::move(added)).get();
}

void Communicators::remove(MPI_Comm handle, bool keep_alive) {
    if (last_handle_ == handle) {
        last_handle_ = MPI_COMM_NULL;
        last_ = nullptr;
    }
    if (std::unique_ptr<Communicator>* found = by_handle_.find(handle)) {
        note_past(handle, {.function = (*found)->made_by, .site = (*found)->site});
        if (keep_alive) {
            kept_alive_.push_back(std::move(*found));
        }
    }
    by_handle_.erase(handle);
}

}  // namespace dampi::piggyback
