// Freeing the program's operators: MPI itself keeps those that are still in use.
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/resources/following.hpp"

namespace dampi::piggyback::distributed::calls {

int op_free(Call& /*call*/, MPI_Op* op) noexcept {
    return freed(ResourceKind::operation, op, [&] { return PMPI_Op_free(op); });
}

}  // namespace dampi::piggyback::distributed::calls
