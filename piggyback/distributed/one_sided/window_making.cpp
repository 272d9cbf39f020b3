// Making and freeing windows: collectives in which nobody goes on before all are there.
#include "piggyback/distributed/one_sided/window.hpp"

#include "piggyback/distributed/collectives/meeting.hpp"
#include "piggyback/distributed/one_sided/attached_memory.hpp"
#include "piggyback/distributed/one_sided/misuse.hpp"
#include "piggyback/distributed/one_sided/told_accesses.hpp"
#include "piggyback/distributed/one_sided/window_uses.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/communicators/names.hpp"
#include "piggyback/rank/resources/following.hpp"
#include "piggyback/rank/resources/own_memory.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace dampi::piggyback::distributed {

using transport::Collective;

namespace {

/// `base`: where it stands afterwards what this rank's memory is; null for a window without.
template <typename Native>
int make_window(const Call& call, MPI_Comm comm, MPI_Win* win, Collective collective, const Memory& own,
                const void* const* base, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    std::shared_ptr<Communicator> group;
    std::vector<Memory> memories;
    const std::uint64_t began = layer.windows.hearsay.now();
    const Communicator* communicator = layer.communicators.find(comm);
    const bool is_followed = communicator != nullptr && !alone(*communicator);
    const int result = make_on(call, comm, collective, 0, group, [&] {
        const int code = native();
        if (code == MPI_SUCCESS && is_followed) {  // each member has memory of its own
            static_assert(sizeof(Memory) == 2 * sizeof(MPI_Aint));
            memories.resize(communicator->members.size());
            PMPI_Allgather(&own, 2, MPI_AINT, memories.data(), 2, MPI_AINT, comm);
        }
        return code;
    });
    layer.windows.shares_memory = layer.windows.shares_memory || collective == Collective::win_allocate_shared;
    if (result == MPI_SUCCESS && group != nullptr) {
        if (memories.empty()) {
            memories.push_back(own);
        }
        if (layer.window_uses == nullptr) {
            layer.window_uses = std::make_unique<WindowUses>(layer);
            layer.pending_buffers.listener = layer.window_uses.get();
        }
        Window& window = layer.windows.add(*win, std::move(group), std::move(memories), began);
        window.made_by = AccessCall(call.site(), call.function());
        window.own_memory = base == nullptr ? nullptr : *base;
        window.is_dynamic = collective == Collective::win_create_dynamic;
        note_phase_begun(layer, window);
    }
    return made(ResourceKind::window, call, result, win);
}

}  // namespace
}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

int win_create(Call& call, void* base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm,
               MPI_Win* win) noexcept {
    const void* const given = base;
    return make_window(call, comm, win, Collective::win_create, {.unit = disp_unit, .size = size}, &given,
                       [&] { return PMPI_Win_create(base, size, disp_unit, info, comm, win); });
}

int win_create_c(Call& call, void* base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm,
                 MPI_Win* win) noexcept {
    const void* const given = base;
    return make_window(call, comm, win, Collective::win_create, {.unit = disp_unit, .size = size}, &given,
                       [&] { return PMPI_Win_create_c(base, size, disp_unit, info, comm, win); });
}

int win_allocate(Call& call, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                 MPI_Win* win) noexcept {
    return make_window(call, comm, win, Collective::win_allocate, {.unit = disp_unit, .size = size},
                       static_cast<const void**>(baseptr),
                       [&] { return PMPI_Win_allocate(size, disp_unit, info, comm, baseptr, win); });
}

int win_allocate_c(Call& call, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                   MPI_Win* win) noexcept {
    return make_window(call, comm, win, Collective::win_allocate, {.unit = disp_unit, .size = size},
                       static_cast<const void**>(baseptr),
                       [&] { return PMPI_Win_allocate_c(size, disp_unit, info, comm, baseptr, win); });
}

int win_allocate_shared(Call& call, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                        MPI_Win* win) noexcept {
    return make_window(call, comm, win, Collective::win_allocate_shared, {.unit = disp_unit},
                       static_cast<const void**>(baseptr),
                       [&] { return PMPI_Win_allocate_shared(size, disp_unit, info, comm, baseptr, win); });
}

int win_allocate_shared_c(Call& call, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void* baseptr,
                          MPI_Win* win) noexcept {
    return make_window(call, comm, win, Collective::win_allocate_shared, {.unit = disp_unit},
                       static_cast<const void**>(baseptr),
                       [&] { return PMPI_Win_allocate_shared_c(size, disp_unit, info, comm, baseptr, win); });
}

int win_create_dynamic(Call& call, MPI_Info info, MPI_Comm comm, MPI_Win* win) noexcept {
    return make_window(call, comm, win, Collective::win_create_dynamic, {}, nullptr,
                       [&] { return PMPI_Win_create_dynamic(info, comm, win); });
}

int win_attach(Call& call, MPI_Win win, void* base, MPI_Aint size) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Window* window = layer.windows.find(win);
    if (window != nullptr && base != nullptr && size > 0) {
        check_attach(layer, call, *window, base, size);
    }
    const int result = PMPI_Win_attach(win, base, size);
    if (window != nullptr && result == MPI_SUCCESS) {
        note_attached(layer, call.site(), *window, base, size);
    }
    return result;
}

int win_detach(Call& call, MPI_Win win, const void* base) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Window* window = layer.windows.find(win);
    if (window != nullptr) {
        check_detach(layer, call, *window, base);
    }
    const int result = PMPI_Win_detach(win, base);
    if (window != nullptr && result == MPI_SUCCESS) {
        note_detached(layer, *window, base);
    }
    return result;
}

int free_mem(Call& call, void* base) noexcept {
    check_free_mem(*DistributedLayer::current(), call, base);
    return give_back_memory(base);
}

int win_free(Call& call, MPI_Win* win) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    const auto native = [&] { return PMPI_Win_free(win); };
    const MPI_Win handle = *win;
    Window* window = layer.windows.find(handle);
    const int result = freed(ResourceKind::window, win, [&] {
        if (window != nullptr && !alone(*window->group)) {
            check_free(layer, call, *window);
        }
        if (window == nullptr || window->in_epoch() || alone(*window->group)) {
            return blocked_in_library(call, native);
        }
        Communicator& group = *window->group;
        return meet(layer, call, group, Collective::win_free, everyone_to_everyone(group), native);
    });
    if (result == MPI_SUCCESS) {
        if (window != nullptr) {
            end_buffers(layer, *window, Window::everyone);
        }
        layer.windows.remove(handle);
    }
    return result;
}

}  // namespace dampi::piggyback::distributed::calls
