// Making and freeing windows and files: collective calls that block until all are there. Making one is a collective on
// a communicator like others; who frees one with this rank is not known here.
#include "piggyback/collectives/meeting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/resources/following.hpp"
#include "piggyback/waiting.hpp"

namespace dampi::piggyback {

using replay::area::Collective;

namespace {

/// Calls `function`, which is a collective on `comm` in which MPICH lets nobody go on before all are there.
template <typename Function>
int collectively(const Call& call, MPI_Comm comm, Collective collective, Function&& function) {
    Layer& layer = *Layer::current();
    Communicator* communicator = layer.communicators.find(comm);
    if (communicator == nullptr || alone(*communicator)) {
        return blocked_in_library(call, function);
    }
    return meet(layer, call, *communicator, collective, everyone_to_everyone(*communicator), function);
}

}  // namespace
}  // namespace dampi::piggyback

namespace dampi::piggyback::calls {

int win_create(Call& call, void* base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
               MPI_Win* win) noexcept {
    const int result = collectively(call, comm, Collective::win_create,
                                    [&] { return PMPI_Win_create(base, size, disp_unit, info, comm, win); });
    return made(ResourceKind::window, call, result, win);
}

int win_create_c(Call& call, void* base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm,
                 MPI_Win* win) noexcept {
    const int result = collectively(call, comm, Collective::win_create,
                                    [&] { return PMPI_Win_create_c(base, size, disp_unit, info, comm, win); });
    return made(ResourceKind::window, call, result, win);
}

int win_allocate(Call& call, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                 MPI_Win* win) noexcept {
    const int result = collectively(call, comm, Collective::win_allocate,
                                    [&] { return PMPI_Win_allocate(size, disp_unit, info, comm, baseptr, win); });
    return made(ResourceKind::window, call, result, win);
}

int win_allocate_c(Call& call, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                   MPI_Win* win) noexcept {
    const int result = collectively(call, comm, Collective::win_allocate,
                                    [&] { return PMPI_Win_allocate_c(size, disp_unit, info, comm, baseptr, win); });
    return made(ResourceKind::window, call, result, win);
}

int win_allocate_shared(Call& call, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                        MPI_Win* win) noexcept {
    const int result = collectively(call, comm, Collective::win_allocate_shared, [&] {
        return PMPI_Win_allocate_shared(size, disp_unit, info, comm, baseptr, win);
    });
    return made(ResourceKind::window, call, result, win);
}

int win_allocate_shared_c(Call& call, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                          MPI_Win* win) noexcept {
    const int result = collectively(call, comm, Collective::win_allocate_shared, [&] {
        return PMPI_Win_allocate_shared_c(size, disp_unit, info, comm, baseptr, win);
    });
    return made(ResourceKind::window, call, result, win);
}

int win_create_dynamic(Call& call, MPI_Info info, MPI_Comm comm, MPI_Win* win) noexcept {
    const int result = collectively(call, comm, Collective::win_create_dynamic,
                                    [&] { return PMPI_Win_create_dynamic(info, comm, win); });
    return made(ResourceKind::window, call, result, win);
}

int win_free(Call& call, MPI_Win* win) noexcept {
    const auto free_it = [&] { return PMPI_Win_free(win); };
    return freed(ResourceKind::window, win, [&] { return blocked_in_library(call, free_it); });
}

int file_open(Call& call, MPI_Comm comm, const char* filename, int amode, MPI_Info info, MPI_File* fh) noexcept {
    const int result = collectively(call, comm, Collective::file_open,
                                    [&] { return PMPI_File_open(comm, filename, amode, info, fh); });
    return made(ResourceKind::file, call, result, fh);
}

int file_close(Call& call, MPI_File* fh) noexcept {
    const auto free_it = [&] { return PMPI_File_close(fh); };
    return freed(ResourceKind::file, fh, [&] { return blocked_in_library(call, free_it); });
}

int file_get_view(Call& call, MPI_File fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype,
                  char* datarep) noexcept {
    const int result = PMPI_File_get_view(fh, disp, etype, filetype, datarep);
    made_datatypes(call, result, etype, 1);
    return made_datatypes(call, result, filetype, 1);
}

}  // namespace dampi::piggyback::calls
