// Fences, post/start/complete/wait, and locks: where one-sided communication orders ranks, their clocks follow.
//
//   MPI_Win_fence   all to all, as it completes everybody's accesses. Not with MPI_MODE_NOPRECEDE: there is nothing to
//                   complete, and the standard says that it need not wait. (MPICH waits. That hides nothing here; an
//                   alternative that it makes impossible is met as a forced match that never comes.)
//   post to start   The standard allows MPI_Win_start to go on before the post, MPICH waits, and so does the layer
//                   where it can be seen.
//   complete to wait
//   unlock to lock  the lock that is granted next learns from those that it conflicts with. Which is granted first is
//                   left to chance (order.hpp).
//   flushing        completes accesses and orders no ranks.
//
// What is put, got or accumulated between these calls moves no clocks: nobody may rely on it before. Whether it
// conflicts with what others do meanwhile is looked at elsewhere (conflicts.hpp).
#include "piggyback/distributed/collectives/meeting.hpp"
#include "piggyback/distributed/one_sided/conflicts.hpp"
#include "piggyback/distributed/one_sided/held_locks.hpp"
#include "piggyback/distributed/one_sided/misuse.hpp"
#include "piggyback/distributed/one_sided/order.hpp"
#include "piggyback/distributed/one_sided/own_touches.hpp"
#include "piggyback/distributed/one_sided/signals.hpp"
#include "piggyback/distributed/one_sided/told_accesses.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/interception/calls.hpp"

#include <numeric>
#include <utility>
#include <vector>

namespace dampi::piggyback::distributed {

using transport::Collective;
using transport::WaitItem;
using transport::WaitKind;

namespace {

/// Null where the layer has nothing to do: it does not know the window, which then counts, or this rank is alone in it.
Window* find_window(const Call& call, MPI_Win handle) {
    Window* window = DistributedLayer::current()->windows.find(handle);
    if (window == nullptr && handle != MPI_WIN_NULL) {
        call.not_modelled();
    }
    return window == nullptr || alone(*window->group) ? nullptr : window;
}

/// Makes a call in which MPI may wait for all of `waits`, or, without any, for nobody knows whom, with other threads of
/// the program in the layer. The rank makes headway by it: whoever polls between accesses to a window is in no
/// livelock.
template <typename Native>
int call_blocked(const Call& call, Native&& native, const std::vector<WaitItem>& waits = {}) {
    DistributedLayer& layer = *DistributedLayer::current();
    count_up(layer.board().synchronisations);
    if (waits.empty()) {
        return blocked_in_library(call, native);
    }
    const BlockedInLibrary blocked(layer, call, waits);
    return Call::unlocked(native);
}

/// The other members of a group, by their index in the window; nothing where MPI will refuse the group.
bool find_members(const Window& window, MPI_Win handle, MPI_Group group, std::vector<int>& members) {
    int size = 0;
    if (group == MPI_GROUP_NULL || PMPI_Group_size(group, &size) != MPI_SUCCESS) {
        return false;
    }
    std::vector<int> own(static_cast<std::size_t>(size));
    std::iota(own.begin(), own.end(), 0);
    members.assign(own.size(), MPI_UNDEFINED);
    MPI_Group all = MPI_GROUP_NULL;
    PMPI_Win_get_group(handle, &all);
    PMPI_Group_translate_ranks(group, size, own.data(), all, members.data());
    PMPI_Group_free(&all);
    for (const int member : members) {
        if (member < 0) {
            return false;
        }
    }
    std::erase(members, window.group->rank);
    return true;
}

[[nodiscard]] clocks::Snapshot snapshot(const clocks::Clock& known) {
    return known == clocks::Clock{} ? clocks::Snapshot() : clocks::Snapshot(known);
}

/// MPI_Win_wait has returned, or MPI_Win_test has said that it would.
void end_exposure(DistributedLayer& layer, std::uint64_t site, Window& window, const clocks::Clock& known) {
    count_unseen_touches(layer, window);
    tell_at_end_of_exposure(layer, window);
    window.exposed = false;
    window.begin_own_stores();
    give(layer, site, window, Signal::exposed, window.group->rank, 0, 0);
    layer.clocks.learn(snapshot(known));
}

/// This rank has been granted a lock.
void learn_from_unlocks(DistributedLayer& layer, Window& window, Signal lock, int target) {
    clocks::Clock known;
    const int size = static_cast<int>(window.group->members.size());
    const int first = target == Window::everyone ? 0 : target;
    const int last = target == Window::everyone ? size - 1 : target;
    for (int each = first; each <= last; ++each) {
        add_latest(layer, window, Signal::exclusive_unlock, each, known);
        if (lock == Signal::exclusive_lock) {
            add_latest(layer, window, Signal::shared_unlock, each, known);
        }
    }
    // In which order locks are granted is a matter of chance: only what orders them otherwise makes anything certain.
    clocks::drop_window_ends(known);
    layer.clocks.learn(snapshot(known));
}

/// This rank has a lock of its own memory in this phase, if `target` is that.
void note_own_lock(Window& window, Signal kind, int target) {
    if (target == Window::everyone || target == window.group->rank) {
        window.own_memory_in.locked = window.phase;
        if (kind == Signal::exclusive_lock) {
            window.own_memory_in.locked_exclusively = window.phase;
        }
    }
}

template <typename Native>
int lock(const Call& call, MPI_Win win, Signal kind, int target, int assert, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Window* window = find_window(call, win);
    if (window == nullptr) {
        return native();
    }
    ++window->lock_calls;
    window->begin_own_stores();
    const int size = static_cast<int>(window->group->members.size());
    if (target == Window::everyone || (target >= 0 && target < size)) {
        check_lock(layer, call, *window, target);
    }
    const bool sensible =
        (target == Window::everyone || (target >= 0 && target < size)) && !window->locks.contains(target);
    if (!sensible) {
        return native();
    }
    const bool excludes = (assert& MPI_MODE_NOCHECK) == 0;  // else the program sees to it that no other lock conflicts
    std::uint32_t end = 0;
    std::vector<WaitItem> waits;
    if (excludes) {
        end = layer.clocks.number_window_end();
        note_lock(layer, call, *window, kind, target, end);
        waits = locks_in_the_way(layer, *window, kind, target);
    }
    const int result = call_blocked(call, native, waits);
    if (result == MPI_SUCCESS) {
        window->locks[target] = {
            .kind = kind, .end = end, .excludes = excludes, .call = AccessCall(call.site(), call.function())};
        if (excludes) {
            note_held(layer, call.site(), *window, kind, target);
            check_not_exposed(layer, call, *window, target);
        }
        learn_from_unlocks(layer, *window, kind, target);
        note_own_lock(*window, kind, target);
    }
    return result;
}

template <typename Native>
int unlock(const Call& call, MPI_Win win, int target, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Window* window = find_window(call, win);
    const auto held = window == nullptr ? std::map<int, Window::Lock>::iterator() : window->locks.find(target);
    if (window != nullptr) {
        ++window->lock_calls;
        window->begin_own_stores();
        check_locked(layer, call, *window, target);
    }
    if (window == nullptr || held == window->locks.end()) {
        return native();
    }
    // Before the lock is given back, so that whoever gets it finds it.
    const Window::Lock given_back = held->second;
    note_own_lock(*window, given_back.kind, target);
    give(layer, call.site(), *window,
         given_back.kind == Signal::exclusive_lock ? Signal::exclusive_unlock : Signal::shared_unlock, target, 0);
    if (given_back.excludes) {
        note_held(layer, call.site(), *window, given_back.kind, target);
    }
    window->locks.erase(held);
    const int result = call_blocked(call, native);
    end_accesses(layer, *window, target, Ending::all, result == MPI_SUCCESS);
    if (result == MPI_SUCCESS) {
        layer.clocks.end_in_window(given_back.end);
    }
    return result;
}

/// MPI_PROC_NULL, and what MPI refuses, must not be taken for all ranks.
int member_or_none(int rank) { return rank < 0 ? MPI_UNDEFINED : rank; }

template <typename Native>
int flush(const Call& call, MPI_Win win, int target, bool everywhere, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    Window* window = find_window(call, win);
    if (window != nullptr) {
        check_locked(layer, call, *window, target);
        window->begin_own_stores();
    }
    const int result = window == nullptr ? native() : call_blocked(call, native);
    if (window != nullptr) {
        end_accesses(layer, *window, target, everywhere ? Ending::all : Ending::only_reads, result == MPI_SUCCESS);
    }
    return result;
}

}  // namespace
}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

int win_fence(Call& call, int assert, MPI_Win win) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    const auto native = [&] { return PMPI_Win_fence(assert, win); };
    Window* window = find_window(call, win);
    if (window != nullptr) {
        check_fence(layer, call, *window, assert);
        check_no_store(layer, call, *window, assert);
        window->begin_own_stores();
    }
    if (window == nullptr || window->in_epoch()) {
        return native();
    }
    Communicator& group = *window->group;
    ++window->fences;
    if ((assert& MPI_MODE_NOPUT) != 0) {  // before anybody can have come out of it
        give(layer, call.site(), *window, Signal::no_put_fenced, group.rank, 0, window->fences);
    }
    window->fenced_by = (assert& MPI_MODE_NOSUCCEED) == 0 ? AccessCall(call.site(), call.function()) : AccessCall();
    window->fence_access = {};
    Flow flow = (assert& MPI_MODE_NOPRECEDE) == 0 ? everyone_to_everyone(group) : Flow{};
    // These two all ranks give, or none.
    flow.arguments = 1U + ((assert& MPI_MODE_NOPRECEDE) != 0 ? 1U : 0U) + ((assert& MPI_MODE_NOSUCCEED) != 0 ? 2U : 0U);
    end_accesses(layer, *window, Window::everyone, Ending::all, false);  // it begins a phase, which says as much
    const bool completes = (assert& MPI_MODE_NOPRECEDE) == 0 && !group.disordered;
    const int result = meet(layer, call, group, Collective::win_fence, flow, [&] {
        if (completes) {
            tell_at_fence(layer, *window);
        }
        return native();
    });
    if (result == MPI_SUCCESS) {
        note_fence_left(layer, *window);
        if (window->fenced_by.site != 0) {
            owners_uses_go_on(layer, *window);
        }
    }
    return result;
}

int win_set_info(Call& call, MPI_Win win, MPI_Info info) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    const auto native = [&] { return PMPI_Win_set_info(win, info); };
    Window* window = find_window(call, win);
    // Collective, but no data flows.
    return window == nullptr ? native() : meet(layer, call, *window->group, Collective::win_set_info, Flow{}, native);
}

int win_post(Call& call, MPI_Group group, int assert, MPI_Win win) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Window* window = find_window(call, win);
    std::vector<int> origins;
    if (window != nullptr) {
        check_post(layer, call, *window);
        check_no_store(layer, call, *window, assert);
        window->begin_own_stores();
    }
    const bool sensible = window != nullptr && !window->exposed && find_members(*window, win, group, origins);
    if (sensible) {
        ++window->exposures;
        if ((assert& MPI_MODE_NOPUT) != 0) {
            give(layer, call.site(), *window, Signal::no_put_exposed, window->group->rank, 0, window->exposures);
        }
        if ((assert& MPI_MODE_NOCHECK) != 0) {
            give(layer, call.site(), *window, Signal::unchecked, window->group->rank, 0, window->exposures);
        }
        for (const int origin : origins) {
            give(layer, call.site(), *window, Signal::post, origin, 1, window->exposures);
        }
    }
    const int result = PMPI_Win_post(group, assert, win);
    if (sensible && result == MPI_SUCCESS) {
        window->exposed = true;
        give(layer, call.site(), *window, Signal::exposed, window->group->rank, 0, window->exposures);
        check_not_locked(layer, call, *window);
        window->posted_by = AccessCall(call.site(), call.function());
        note_exposed(layer, *window);
        window->origins = std::move(origins);
    }
    return result;
}

int win_start(Call& call, MPI_Group group, int assert, MPI_Win win) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    const auto native = [&] { return PMPI_Win_start(group, assert, win); };
    Window* window = find_window(call, win);
    std::vector<int> targets;
    if (window != nullptr) {
        check_start(layer, call, *window);
        window->begin_own_stores();
    }
    if (window == nullptr || window->accessing || !window->locks.empty() ||
        !find_members(*window, win, group, targets)) {
        return native();
    }
    clocks::Clock known;
    if ((assert& MPI_MODE_NOCHECK) == 0) {
        await(layer, call, *window, Signal::post, WaitKind::post, targets, known);
    } else {  // all have posted, says the program
        take_in(layer, *window, Signal::post, targets, known);
        for (const int target : targets) {
            if (value_taken_in(*window, Signal::post, target) == 0) {
                note_not_posted(layer, call, *window, target);
            }
        }
    }
    check_no_check(layer, call, *window, assert, targets);
    const int result = call_blocked(call, native);
    if (result == MPI_SUCCESS) {
        window->accessing = true;
        window->epoch_began = layer.windows.hearsay.now();
        window->started_by = AccessCall(call.site(), call.function());
        window->targets = std::move(targets);
        layer.clocks.learn(snapshot(known));
    }
    return result;
}

int win_complete(Call& call, MPI_Win win) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    const auto native = [&] { return PMPI_Win_complete(win); };
    Window* window = find_window(call, win);
    if (window == nullptr || !window->accessing) {
        return native();
    }
    window->begin_own_stores();
    for (const int target : window->targets) {
        give(layer, call.site(), *window, Signal::complete, target, 1);
    }
    window->accessing = false;
    const int result = call_blocked(call, native);
    end_accesses(layer, *window, Window::everyone, Ending::all, false);  // the target may not have them yet
    return result;
}

int win_wait(Call& call, MPI_Win win) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    const auto native = [&] { return PMPI_Win_wait(win); };
    Window* window = find_window(call, win);
    if (window == nullptr || !window->exposed) {
        return native();
    }
    clocks::Clock known;
    await(layer, call, *window, Signal::complete, WaitKind::complete, window->origins, known);
    const int result = call_blocked(call, native);
    if (result == MPI_SUCCESS) {
        end_exposure(layer, call.site(), *window, known);
    }
    return result;
}

int win_test(Call& call, MPI_Win win, int* flag) noexcept {
    DistributedLayer& layer = *DistributedLayer::current();
    Window* window = find_window(call, win);
    const int result = PMPI_Win_test(win, flag);
    if (window == nullptr || !window->exposed || result != MPI_SUCCESS) {
        return result;
    }
    if (!window->origins.empty()) {
        layer.count_not_modelled(call.function());  // how often it answers "not yet" is left to chance
    }
    if (*flag != 0) {
        clocks::Clock known;
        take_in(layer, *window, Signal::complete, window->origins, known);
        end_exposure(layer, call.site(), *window, known);
    } else {
        waiting_detail::yield(layer);
    }
    return result;
}

int win_lock(Call& call, int lock_type, int rank, int assert, MPI_Win win) noexcept {
    const Signal kind = lock_type == MPI_LOCK_EXCLUSIVE ? Signal::exclusive_lock : Signal::shared_lock;
    const int target = member_or_none(rank);
    return lock(call, win, kind, target, assert, [&] {
        const int result = PMPI_Win_lock(lock_type, rank, assert, win);
        // The patched library would ask for the lock not before it is needed; a flush waits until it is granted.
        return result == MPI_SUCCESS && library_is_patched() ? PMPI_Win_flush(rank, win) : result;
    });
}

int win_lock_all(Call& call, int assert, MPI_Win win) noexcept {
    if (library_is_patched() && (assert& MPI_MODE_NOCHECK) == 0) {
        DistributedLayer::current()->count_not_modelled(
            call.function());  // there it returns before the locks are granted
    }
    return lock(call, win, Signal::shared_lock, Window::everyone, assert,
                [&] { return PMPI_Win_lock_all(assert, win); });
}

int win_unlock(Call& call, int rank, MPI_Win win) noexcept {
    const int target = member_or_none(rank);
    return unlock(call, win, target, [&] { return PMPI_Win_unlock(rank, win); });
}

int win_unlock_all(Call& call, MPI_Win win) noexcept {
    return unlock(call, win, Window::everyone, [&] { return PMPI_Win_unlock_all(win); });
}

int win_flush(Call& call, int rank, MPI_Win win) noexcept {
    return flush(call, win, member_or_none(rank), true, [&] { return PMPI_Win_flush(rank, win); });
}

int win_flush_all(Call& call, MPI_Win win) noexcept {
    return flush(call, win, Window::everyone, true, [&] { return PMPI_Win_flush_all(win); });
}

int win_flush_local(Call& call, int rank, MPI_Win win) noexcept {
    return flush(call, win, member_or_none(rank), false, [&] { return PMPI_Win_flush_local(rank, win); });
}

int win_flush_local_all(Call& call, MPI_Win win) noexcept {
    return flush(call, win, Window::everyone, false, [&] { return PMPI_Win_flush_local_all(win); });
}

int win_sync(Call& /*call*/, MPI_Win win) noexcept {
    if (Window* const window = DistributedLayer::current()->windows.find(win)) {
        window->own_memory_in.synchronised = window->phase;
        window->begin_own_stores();
    }
    return PMPI_Win_sync(win);
}

}  // namespace dampi::piggyback::distributed::calls
