// Accesses that other ranks may make to the same place at the same time, so that their results can depend on the order.
// (Of MPI_Put and MPI_Get only one at a time may.) They pass through; that there may have been several is noticed.
#include "piggyback/interception/calls.hpp"
#include "piggyback/layer.hpp"
#include "piggyback/one_sided/order.hpp"

namespace dampi::piggyback {
namespace {

/// `target` is about to be accessed.
void note(const Call& call, MPI_Win win, int target, Signal access) {
    Layer& layer = *Layer::current();
    Window* window = layer.windows.find(win);
    if (window == nullptr && win != MPI_WIN_NULL) {
        call.not_modelled();
    } else if (window != nullptr && target >= 0 && static_cast<std::size_t>(target) < window->group->members.size()) {
        note_access(layer, call, *window, access, target);
    }
}

/// Sums and the like are the same in whatever order they are taken.
Signal accumulating(MPI_Op op) { return op == MPI_REPLACE ? Signal::ordered_access : Signal::added_access; }

}  // namespace
}  // namespace dampi::piggyback

namespace dampi::piggyback::calls {

// clang-format off
#define DAMPI_ACCUMULATE(Name, suffix, name, Count)                                                                    \
    int name(Call& call, const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype, int target_rank,   \
             MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) noexcept {\
        note(call, win, target_rank, accumulating(op));                                                                \
        return PMPI_##Name##suffix(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, \
                                   target_datatype, op, win);                                                          \
    }                                                                                                                  \
    int r##name(Call& call, const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype,                 \
                int target_rank, MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Op op,    \
                MPI_Win win, MPI_Request* request) noexcept {                                                          \
        note(call, win, target_rank, accumulating(op));                                                                \
        return PMPI_R##name(origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,        \
                            target_datatype, op, win, request);                                                        \
    }
DAMPI_ACCUMULATE(Accumulate, , accumulate, int)
DAMPI_ACCUMULATE(Accumulate, _c, accumulate_c, MPI_Count)
#undef DAMPI_ACCUMULATE

#define DAMPI_GET_ACCUMULATE(Name, suffix, name, Count)                                                                \
    int name(Call& call, const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype, void* result_addr, \
             Count result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,                  \
             Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win) noexcept {                      \
        note(call, win, target_rank, Signal::ordered_access);                                                          \
        return PMPI_##Name##suffix(origin_addr, origin_count, origin_datatype, result_addr, result_count,              \
                                   result_datatype, target_rank, target_disp, target_count, target_datatype, op, win); \
    }                                                                                                                  \
    int r##name(Call& call, const void* origin_addr, Count origin_count, MPI_Datatype origin_datatype,                 \
                void* result_addr, Count result_count, MPI_Datatype result_datatype, int target_rank,                  \
                MPI_Aint target_disp, Count target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,        \
                MPI_Request* request) noexcept {                                                                       \
        note(call, win, target_rank, Signal::ordered_access);                                                          \
        return PMPI_R##name(origin_addr, origin_count, origin_datatype, result_addr, result_count, result_datatype,    \
                            target_rank, target_disp, target_count, target_datatype, op, win, request);                \
    }
DAMPI_GET_ACCUMULATE(Get_accumulate, , get_accumulate, int)
DAMPI_GET_ACCUMULATE(Get_accumulate, _c, get_accumulate_c, MPI_Count)
#undef DAMPI_GET_ACCUMULATE
// clang-format on

int fetch_and_op(Call& call, const void* origin_addr, void* result_addr, MPI_Datatype datatype, int target_rank,
                 MPI_Aint target_disp, MPI_Op op, MPI_Win win) noexcept {
    note(call, win, target_rank, Signal::ordered_access);
    return PMPI_Fetch_and_op(origin_addr, result_addr, datatype, target_rank, target_disp, op, win);
}

int compare_and_swap(Call& call, const void* origin_addr, const void* compare_addr, void* result_addr,
                     MPI_Datatype datatype, int target_rank, MPI_Aint target_disp, MPI_Win win) noexcept {
    note(call, win, target_rank, Signal::ordered_access);
    return PMPI_Compare_and_swap(origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win);
}

}  // namespace dampi::piggyback::calls
