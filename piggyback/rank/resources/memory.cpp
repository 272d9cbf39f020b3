// Memory that the program gets of MPI, which it has to give back.
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/resources/following.hpp"
#include "piggyback/rank/resources/own_memory.hpp"

namespace dampi::piggyback {

int give_back_memory(void* base) noexcept {
    return freed(ResourceKind::memory, &base, [&] { return PMPI_Free_mem(base); });
}

namespace calls {

int alloc_mem(Call& call, MPI_Aint size, MPI_Info info, void* baseptr) noexcept {
    const int result = PMPI_Alloc_mem(size, info, baseptr);
    void* const memory = result == MPI_SUCCESS ? *static_cast<void**>(baseptr) : nullptr;
    if (memory == nullptr || size == 0) {
        return result;
    }
    // What was there before has been freed, be it where nobody saw it.
    Layer::current()->resources.held(ResourceKind::memory).release(following_detail::key(memory));
    return made(ResourceKind::memory, call, result, &memory);
}

}  // namespace calls
}  // namespace dampi::piggyback
