// MPI's groups as the centralized engine has them: who is in each, by ranks of MPI_COMM_WORLD. MPI itself knows of one
// process only, so the handles are the engine's own.
#pragma once

#include "base/types.hpp"
#include "piggyback/rank/handle_map.hpp"

#include <utility>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::central {

class Groups {
public:
    using Members = std::vector<base::Rank>;

    /// A new group with these members; MPI_GROUP_EMPTY for none.
    [[nodiscard]] MPI_Group make(Members members) {
        if (members.empty()) {
            return MPI_GROUP_EMPTY;
        }
        const auto handle = static_cast<MPI_Group>(first_object | ++made_);
        by_handle_.insert(handle, std::move(members));
        return handle;
    }

    /// Null for a handle that is no group's.
    [[nodiscard]] const Members* find(MPI_Group group) {
        return group == MPI_GROUP_EMPTY ? &empty_ : by_handle_.find(group);
    }

    void remove(MPI_Group group) { by_handle_.erase(group); }

private:
    static constexpr unsigned first_object = static_cast<unsigned>(MPI_GROUP_NULL) | 0x80000000U;

    HandleMap<Members> by_handle_;
    const Members empty_{};
    unsigned made_ = 0;
};

}  // namespace dampi::piggyback::central
