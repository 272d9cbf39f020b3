// Calls on windows that are wrong whatever the other ranks do meanwhile, judged before MPI sees them: outside of an
// epoch or in the wrong one, behind the end of the target's memory, against an assertion. Most of them MPICH lets pass;
// what it refuses itself is only named here with the earlier call that it contradicts. Changes nothing: the call is
// made all the same.
#pragma once

#include "piggyback/distributed/layer.hpp"
#include "piggyback/distributed/one_sided/conflicts.hpp"
#include "piggyback/distributed/one_sided/window.hpp"
#include "piggyback/rank/call.hpp"

namespace dampi::piggyback::distributed {

/// One of both sides of an access.
struct TypedBuffer {
    const char* name = "";  ///< "origin", "target", "result"
    MPI_Count count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};

/// An access to a member's memory. `by_request`: one that has a request.
void check_access(DistributedLayer& layer, const Call& call, Window& window, const TargetBytes& bytes,
                  const AccessKinds& kinds, bool by_request);

/// `sent` is written as `received`: whether their types agree.
void check_types(DistributedLayer& layer, const Call& call, const TypedBuffer& sent, const TypedBuffer& received);

/// `target`: a member, or Window::everyone.
void check_lock(DistributedLayer& layer, const Call& call, const Window& window, int target);
/// MPI_Win_unlock and MPI_Win_flush with their kin: of what is locked. `target` as above, or none of both.
void check_locked(DistributedLayer& layer, const Call& call, const Window& window, int target);
void check_fence(DistributedLayer& layer, const Call& call, const Window& window, int assertions);
/// A fence or post: whether the rank has stored in its memory, and says that it has not.
void check_no_store(DistributedLayer& layer, const Call& call, const Window& window, int assertions);
/// MPI_Win_start, when these have posted: MPI_MODE_NOCHECK is given in both calls or in none.
void check_no_check(DistributedLayer& layer, const Call& call, Window& window, int assertions,
                    const std::vector<int>& targets);
void check_start(DistributedLayer& layer, const Call& call, const Window& window);
/// MPI has granted this rank a lock of a member's memory, or all's: nobody may have exposed it, but to this rank.
void check_not_exposed(DistributedLayer& layer, const Call& call, Window& window, int target);
/// This rank has exposed its memory: nobody may have locked it.
void check_not_locked(DistributedLayer& layer, const Call& call, Window& window);
void check_post(DistributedLayer& layer, const Call& call, const Window& window);
void check_free(DistributedLayer& layer, const Call& call, const Window& window);

/// MPI_Win_start with MPI_MODE_NOCHECK, though `member` has not called MPI_Win_post.
void note_not_posted(DistributedLayer& layer, const Call& call, const Window& window, int member);
/// This rank is about to attach memory, or to detach what begins there.
void check_attach(DistributedLayer& layer, const Call& call, const Window& window, const void* base, MPI_Aint size);
void check_detach(DistributedLayer& layer, const Call& call, const Window& window, const void* base);
/// MPI_Free_mem of the memory that begins there. Reported in an epoch only: before MPI_Win_free it is wrong, too, but
/// usual.
void check_free_mem(DistributedLayer& layer, const Call& call, const void* base);

}  // namespace dampi::piggyback::distributed
