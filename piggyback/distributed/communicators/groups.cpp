// Making and freeing groups. MPICH gives out the same group again where it can.
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/resources/following.hpp"

namespace dampi::piggyback::distributed::calls {

int comm_group(Call& call, MPI_Comm comm, MPI_Group* group) noexcept {
    return made(ResourceKind::group, call, PMPI_Comm_group(comm, group), group);
}

int comm_remote_group(Call& call, MPI_Comm comm, MPI_Group* group) noexcept {
    return made(ResourceKind::group, call, PMPI_Comm_remote_group(comm, group), group);
}

int group_union(Call& call, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) noexcept {
    return made(ResourceKind::group, call, PMPI_Group_union(group1, group2, newgroup), newgroup);
}

int group_intersection(Call& call, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) noexcept {
    return made(ResourceKind::group, call, PMPI_Group_intersection(group1, group2, newgroup), newgroup);
}

int group_difference(Call& call, MPI_Group group1, MPI_Group group2, MPI_Group* newgroup) noexcept {
    return made(ResourceKind::group, call, PMPI_Group_difference(group1, group2, newgroup), newgroup);
}

int group_incl(Call& call, MPI_Group group, int n, const int ranks[], MPI_Group* newgroup) noexcept {
    return made(ResourceKind::group, call, PMPI_Group_incl(group, n, ranks, newgroup), newgroup);
}

int group_excl(Call& call, MPI_Group group, int n, const int ranks[], MPI_Group* newgroup) noexcept {
    return made(ResourceKind::group, call, PMPI_Group_excl(group, n, ranks, newgroup), newgroup);
}

int group_range_incl(Call& call, MPI_Group group, int n, int ranges[][3], MPI_Group* newgroup) noexcept {
    return made(ResourceKind::group, call, PMPI_Group_range_incl(group, n, ranges, newgroup), newgroup);
}

int group_range_excl(Call& call, MPI_Group group, int n, int ranges[][3], MPI_Group* newgroup) noexcept {
    return made(ResourceKind::group, call, PMPI_Group_range_excl(group, n, ranges, newgroup), newgroup);
}

int group_free(Call&, MPI_Group* group) noexcept {
    return freed(ResourceKind::group, group, [&] { return PMPI_Group_free(group); });
}

int win_get_group(Call& call, MPI_Win win, MPI_Group* group) noexcept {
    return made(ResourceKind::group, call, PMPI_Win_get_group(win, group), group);
}

int file_get_group(Call& call, MPI_File fh, MPI_Group* group) noexcept {
    return made(ResourceKind::group, call, PMPI_File_get_group(fh, group), group);
}

int group_from_session_pset(Call& call, MPI_Session session, const char* pset_name, MPI_Group* newgroup) noexcept {
    return made(ResourceKind::group, call, PMPI_Group_from_session_pset(session, pset_name, newgroup), newgroup);
}

}  // namespace dampi::piggyback::distributed::calls
