#include "piggyback/distributed/one_sided/own_touches.hpp"

#include "piggyback/distributed/one_sided/conflicts.hpp"
#include "piggyback/distributed/one_sided/told_accesses.hpp"
#include "piggyback/distributed/one_sided/window.hpp"
#include "piggyback/rank/collectives/entering.hpp"
#include "piggyback/rank/sanitizers/thread_runtime.hpp"
#include "piggyback/rank/threads/thread_names.hpp"
#include "replay/unseen_calls.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace dampi::piggyback::distributed {
namespace {

/// Bytes from the beginning of the rank's memory of the window; addresses where that is attached.
struct OwnTouch {
    const Window* window = nullptr;
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool writes = false;
    std::uint64_t site = 0;
};

/// Of those that are not next to each other so many are kept from one call to the next; then the first are what is
/// seen.
constexpr std::size_t most_touches = 64;

// Of the one thread whose memory is guarded, and of its handlers.
std::array<OwnTouch, most_touches> kept;
std::size_t kept_count = 0;

/// Makes one of both if they are next to each other.
bool take_in(OwnTouch& known, const OwnTouch& touch) {
    if (known.window != touch.window || known.site != touch.site || known.writes != touch.writes ||
        touch.begin > known.end || touch.end < known.begin) {
        return false;
    }
    known.begin = std::min(known.begin, touch.begin);
    known.end = std::max(known.end, touch.end);
    return true;
}

/// In a signal handler.
bool keep(const touches::GuardedBuffer& buffer, const touches::Touch& touch) noexcept {
    const auto* const window = static_cast<const Window*>(buffer.whose);
    const auto origin = reinterpret_cast<std::intptr_t>(window->own_memory);
    const OwnTouch own{.window = window,
                       .begin = touch.byte - origin,
                       .end = touch.end - origin,
                       .writes = touch.writes,
                       .site = touch.site};
    auto* const end = kept.data() + kept_count;
    if (std::any_of(kept.data(), end, [&](OwnTouch& known) { return take_in(known, own); })) {
        return true;
    }
    if (kept_count == kept.size()) {
        return false;
    }
    kept[kept_count++] = own;
    return true;
}

/// When this rank left MPI last: whether there were other threads, and how many the program had made.
struct {
    bool others = false;
    unsigned made = 0;
} threads_outside;

/// Whether this rank has had several threads since it has left MPI.
bool has_had_threads() { return threads_outside.others || threads_outside.made != threads_made(); }

/// Whether others may access this rank's memory of it while the rank is outside of MPI, and that can be compared.
bool is_to_guard(const DistributedLayer& layer, const Window& window) {
    return !alone(*window.group) && !layer.windows.shares_memory && !layer.multithreaded &&
           (window.exposed || !window.accessing);
}

}  // namespace

std::vector<touches::GuardedBuffer> windows_to_guard(DistributedLayer& layer) {
    std::vector<touches::GuardedBuffer> buffers;
    layer.windows.for_each([&](Window& window) {
        const auto add = [&](const void* memory, MPI_Aint size) {
            const auto begin = reinterpret_cast<std::intptr_t>(memory);
            if (memory != nullptr && size > 0) {
                buffers.push_back({.region = {.begin = begin, .end = begin + size},
                                   .received = true,
                                   .site = window.made_by.site,
                                   .told = keep,
                                   .whose = &window});
            }
        };
        if (is_to_guard(layer, window)) {
            add(window.own_memory, window.memories[static_cast<std::size_t>(window.group->rank)].size);
            for (const auto& [memory, size] : window.attached) {
                add(memory, size);
            }
        }
    });
    return buffers;
}

void note_own_touches(DistributedLayer& layer) {
    for (std::size_t i = 0; i < kept_count; ++i) {
        const OwnTouch& touch = kept[i];
        layer.windows.for_each([&](Window& window) {
            if (&window == touch.window) {
                if (touch.writes) {
                    window.own_store = AccessCall(touch.site, "store");
                }
                note_owners_touch(layer, window, {.begin = touch.begin, .length = touch.end - touch.begin},
                                  touch.writes ? AccessKind::write : AccessKind::read,
                                  AccessCall(touch.site, touch.writes ? "store" : "load"),
                                  informed_under_locks(layer, window));
            }
        });
    }
    kept_count = 0;
}

void note_leaving_with_threads() { threads_outside = {.others = has_other_threads(), .made = threads_made()}; }

void note_entry_of_threads(DistributedLayer& layer) {
    if (!has_had_threads() || sanitizers::thread_runtime != nullptr) {
        return;
    }
    layer.windows.for_each([&](Window& window) {
        if (is_to_guard(layer, window)) {
            window.unseen_in = {.phase = window.phase, .exposure = window.exposed ? window.exposures : 0};
        }
    });
}

void count_unseen_touches(DistributedLayer& layer, Window& window) {
    const auto& unseen = window.unseen_in;
    const bool in_exposure = unseen.exposure != 0 && unseen.exposure == window.exposures;
    if (!in_exposure && unseen.phase != window.phase) {
        return;
    }
    const int size = static_cast<int>(window.group->members.size());
    for (int member = 0; member < size; ++member) {
        if (member == window.group->rank) {
            continue;
        }
        for (const Access& access : listed_accesses(layer, window, member, window.group->rank)) {
            const bool belongs = access.mode.opening == Opening::start
                                     ? in_exposure && access.mode.exposure == unseen.exposure
                                     : access.last >= window.phase;
            if (access.mode.owners == 0 && belongs) {
                layer.count_not_modelled(replay::touches_of_threads);
                window.unseen_in = {};
                return;
            }
        }
    }
}

}  // namespace dampi::piggyback::distributed
