#include "piggyback/distributed/one_sided/told_accesses.hpp"

#include "piggyback/distributed/one_sided/conflicts.hpp"
#include "piggyback/distributed/one_sided/races.hpp"
#include "piggyback/rank/sanitizers/thread_runtime.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include <sys/personality.h>

namespace dampi::piggyback::distributed {
namespace {

/// Whether a place in another rank's program is the same in this one's.
bool places_are_common() {
    static const bool common = [] {
        constexpr unsigned long only_ask = 0xffffffff;
        const int now = ::personality(only_ask);
        return now != -1 && (now & ADDR_NO_RANDOMIZE) != 0;
    }();
    return common;
}

/// Where they lie in this rank's memory; nothing where that is not known.
std::optional<Region> region_in(const Window& window, std::int64_t begin, std::int64_t length) {
    const MPI_Aint size = window.memories[static_cast<std::size_t>(window.group->rank)].size;
    if (window.own_memory == nullptr || size == Memory::not_known || begin < 0 || length > size - begin) {
        return std::nullopt;
    }
    const std::int64_t address = reinterpret_cast<std::intptr_t>(window.own_memory) + begin;
    return Region{.begin = address, .end = address + length};
}

void tell(DistributedLayer& layer, const Window& window, void* moment, const Access& access) {
    const std::string name =
        std::string(access.call.name, strnlen(access.call.name, sizeof access.call.name)) + " of another rank";
    sanitizers::Fibers& fibers = layer.pending_buffers.fibers();
    const auto token = fibers.begin_knowing(
        moment, {.function = name.c_str(), .site = places_are_common() ? access.call.site : 0}, [&](auto&& touch) {
            for (std::int64_t i = 0; i < access.blocks.count; ++i) {
                const auto region =
                    region_in(window, access.blocks.begin + i * access.blocks.stride, access.blocks.length);
                if (region) {
                    touch(*region, !reads(access.mode));
                }
            }
        });
    if (token != sanitizers::Fibers::none) {
        fibers.end(token);
    }
}

template <typename Counts>
void tell_all(DistributedLayer& layer, Window& window, void* moment, Counts&& counts) {
    const int size = static_cast<int>(window.group->members.size());
    for (int member = 0; member < size; ++member) {
        if (member == window.group->rank) {
            continue;
        }
        for (const Access& access : listed_accesses(layer, window, member, window.group->rank)) {
            if (access.mode.exact != 0 && access.mode.owners == 0 && access.informed == 0 && counts(access)) {
                tell(layer, window, moment, access);
            }
        }
    }
}

}  // namespace

void note_fence_left(DistributedLayer& layer, Window& window) {
    window.epoch_began = layer.windows.hearsay.now();
    if (sanitizers::thread_runtime != nullptr) {
        layer.pending_buffers.fibers().remember(&window.fenced_by);
    }
}

void tell_at_fence(DistributedLayer& layer, Window& window) {
    if (sanitizers::thread_runtime != nullptr) {
        tell_all(layer, window, &window.fenced_by, [&](const Access& access) {
            return access.mode.opening == Opening::fence && access.last == window.phase;
        });
    }
}

void note_phase_begun(DistributedLayer& layer, Window& window) {
    if (sanitizers::thread_runtime != nullptr) {
        layer.pending_buffers.fibers().remember(&window.phase_began);
    }
}

void tell_at_end_of_phase(DistributedLayer& layer, Window& window) {
    const Window::Lock* const own = window.lock_of(window.group->rank);
    const bool excludes = window.own_memory_in.locked_exclusively == window.phase ||
                          (own != nullptr && own->kind == Signal::exclusive_lock);
    if (sanitizers::thread_runtime == nullptr || excludes || window.own_memory_in.synchronised == window.phase ||
        may_have_heard_since(layer, window.phase_began)) {
        return;
    }
    const int size = static_cast<int>(window.group->members.size());
    for (int member = 0; member < size; ++member) {
        const auto accesses = listed_accesses(layer, window, member, window.group->rank);
        if (std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
                return access.last >= window.phase && !reads(access.mode) && is_atomic(access.mode);
            })) {
            return;
        }
    }
    const bool locked = window.own_memory_in.locked == window.phase || own != nullptr;
    tell_all(layer, window, &window.phase_began, [&](const Access& access) {
        return access.mode.opening == Opening::lock && access.last == window.phase &&
               !(locked && access.mode.exposure == AccessMode::locked_exclusively);
    });
}

void note_exposed(DistributedLayer& layer, Window& window) {
    if (sanitizers::thread_runtime != nullptr) {
        layer.pending_buffers.fibers().remember(&window.posted_by);
    }
}

void tell_at_end_of_exposure(DistributedLayer& layer, Window& window) {
    if (sanitizers::thread_runtime != nullptr) {
        tell_all(layer, window, &window.posted_by, [&](const Access& access) {
            return access.mode.opening == Opening::start && access.mode.exposure == window.exposures;
        });
    }
}

}  // namespace dampi::piggyback::distributed
