// The program's operators that reductions under way still need: MPI lets one go that the program has freed only when
// none needs it any more.
#pragma once

#include "piggyback/rank/handle_map.hpp"

#include <mpi.h>

namespace dampi::piggyback::central {

/// Whether the operator is the program's own.
[[nodiscard]] inline bool is_user_defined(MPI_Op op) {
    // MPICH keeps the kind of a handle in its upper bits; 1: predefined, 0: null.
    return static_cast<unsigned>(op) >> 30 > 1;
}

class Operators {
public:
    void need(MPI_Op op) {
        if (Use* use = by_handle_.find(op)) {
            ++use->needed;
        } else {
            by_handle_.insert(op, {.needed = 1, .freed = false});
        }
    }
    void need_no_longer(MPI_Op op) {
        Use* use = by_handle_.find(op);
        if (--use->needed == 0) {
            if (use->freed) {
                PMPI_Op_free(&op);
            }
            by_handle_.erase(op);
        }
    }
    /// The program frees it. False if nobody needs it, so that MPI may free it now.
    bool free_later(MPI_Op op) {
        Use* use = by_handle_.find(op);
        if (use != nullptr) {
            use->freed = true;
        }
        return use != nullptr;
    }

private:
    struct Use {
        unsigned needed = 0;
        bool freed = false;
    };
    HandleMap<Use> by_handle_;
};

}  // namespace dampi::piggyback::central
