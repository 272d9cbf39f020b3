// Making and freeing info objects. (A program may make some before MPI_Init and free some after MPI_Finalize: the layer
// follows those of the time between.)
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/resources/following.hpp"

namespace dampi::piggyback::calls {

int info_create(Call& call, MPI_Info* info) noexcept {
    return made(ResourceKind::info, call, PMPI_Info_create(info), info);
}

int info_create_env(Call& call, int argc, char* argv[], MPI_Info* info) noexcept {
    return made(ResourceKind::info, call, PMPI_Info_create_env(argc, argv, info), info);
}

#ifdef DAMPI_HAS_MPI_Get_hw_resource_info
int get_hw_resource_info(Call& call, MPI_Info* hw_info) noexcept {
    return made(ResourceKind::info, call, PMPI_Get_hw_resource_info(hw_info), hw_info);
}
#endif

int info_dup(Call& call, MPI_Info info, MPI_Info* newinfo) noexcept {
    return made(ResourceKind::info, call, PMPI_Info_dup(info, newinfo), newinfo);
}

int info_free(Call&, MPI_Info* info) noexcept {
    return freed(ResourceKind::info, info, [&] { return PMPI_Info_free(info); });
}

int comm_get_info(Call& call, MPI_Comm comm, MPI_Info* info_used) noexcept {
    return made(ResourceKind::info, call, PMPI_Comm_get_info(comm, info_used), info_used);
}

int win_get_info(Call& call, MPI_Win win, MPI_Info* info_used) noexcept {
    return made(ResourceKind::info, call, PMPI_Win_get_info(win, info_used), info_used);
}

int file_get_info(Call& call, MPI_File fh, MPI_Info* info_used) noexcept {
    return made(ResourceKind::info, call, PMPI_File_get_info(fh, info_used), info_used);
}

int session_get_info(Call& call, MPI_Session session, MPI_Info* info_used) noexcept {
    return made(ResourceKind::info, call, PMPI_Session_get_info(session, info_used), info_used);
}

int session_get_pset_info(Call& call, MPI_Session session, const char* pset_name, MPI_Info* info) noexcept {
    return made(ResourceKind::info, call, PMPI_Session_get_pset_info(session, pset_name, info), info);
}

}  // namespace dampi::piggyback::calls
