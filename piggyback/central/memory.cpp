// Memory of MPI_Alloc_mem with the centralized engine: that of the MPI library of each rank.
#include "piggyback/interception/central_calls.hpp"
#include "piggyback/rank/resources/own_memory.hpp"

namespace dampi::piggyback::central::calls {

int free_mem(Call& /*call*/, void* base) noexcept { return give_back_memory(base); }

}  // namespace dampi::piggyback::central::calls
