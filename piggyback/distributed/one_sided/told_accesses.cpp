#include "piggyback/distributed/one_sided/told_accesses.hpp"

#include "piggyback/distributed/one_sided/conflicts.hpp"
#include "piggyback/distributed/one_sided/races.hpp"
#include "piggyback/rank/sanitizers/thread_runtime.hpp"
#include "piggyback/rank/touches/page_guard.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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

/// Whether clocks say all that orders what others do in this rank's memory of the window and what it does itself, but
/// for what ranks tell each other by what lies in windows.
bool clocks_tell_all_but_memory(DistributedLayer& layer, const Window& window) {
    return layer.clocks.marks().windows && !layer.windows.moments.lost() && layer.windows.phases_are_known &&
           static_cast<int>(window.group->members.size()) == layer.size() && !may_hear_unseen(layer);
}

/// Of which accesses to this rank's memory of the window clocks say all that orders them and what it does itself:
/// of all, unless somebody may get to know of what others have done by what is under locks in windows, since it is
/// read, or written where others than this rank can see it. What one access reads itself is no news about that one.
class ToldByClocks {
public:
    ToldByClocks(DistributedLayer& layer, const Window& window)
        : window_(window), but_memory_(clocks_tell_all_but_memory(layer, window)) {
        if (!but_memory_) {
            return;
        }
        several_ = any_listed(layer, [&](const Window& other, int member, int target, const Access& access) {
            const bool brings_news = access.last >= other.phase && access.mode.opening == Opening::lock &&
                                     access.mode.owners == 0 &&
                                     (target != other.group->rank || tells_its_rank(access.mode));
            const bool is_second = brings_news && bringer_.has_value();
            if (brings_news) {
                bringer_ = {
                    .is_here = &other == &window_ && target == window_.group->rank, .member = member, .access = access};
            }
            return is_second;
        });
    }

    [[nodiscard]] bool all_of(int member, const Access& access) const {
        if (!but_memory_ || several_ || !bringer_) {
            return but_memory_ && !several_;
        }
        return bringer_->is_here && bringer_->member == member && bringer_->access.is_only(access);
    }

    /// Whether it is so of all accesses.
    [[nodiscard]] bool all_of_all() const { return but_memory_ && !bringer_; }

private:
    struct Bringer {
        bool is_here = false;  ///< in this rank's memory of the window
        int member = 0;
        Access access;
    };

    const Window& window_;
    bool but_memory_;
    bool several_ = false;
    std::optional<Bringer> bringer_;  ///< of news
};

/// `later`: what else its rank knew when it began.
void tell(DistributedLayer& layer, const Window& window, void* moment, const sanitizers::Fibers::Later& later,
          const Access& access) {
    const std::string name =
        std::string(access.call.name, strnlen(access.call.name, sizeof access.call.name)) + " of another rank";
    sanitizers::Fibers& fibers = layer.pending_buffers.fibers();
    const auto token = fibers.begin_knowing(
        moment, later, {.function = name.c_str(), .site = places_are_common() ? access.call.site : 0},
        [&](auto&& touch) {
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

/// `counts(member, access)`. `unheard`: where clocks do not say all of all accesses, those are told whose ranks had
/// heard nothing; not some so and others by clocks, since each would be ordered behind other things.
template <typename Counts>
void tell_all(DistributedLayer& layer, Window& window, void* moment, const ToldByClocks& clocks, bool unheard,
              Counts&& counts) {
    const int size = static_cast<int>(window.group->members.size());
    for (int member = 0; member < size; ++member) {
        if (member == window.group->rank) {
            continue;
        }
        auto accesses = listed_accesses(layer, window, member, window.group->rank);
        std::sort(accesses.begin(), accesses.end(),
                  [](const Access& one, const Access& other) { return one.known < other.known; });
        for (const Access& access : accesses) {
            const bool exact = unheard ? clocks.all_of_all() : clocks.all_of(member, access);
            if (access.mode.exact != 0 && access.mode.owners == 0 && (exact || (unheard && access.informed == 0)) &&
                counts(member, access)) {
                tell(layer, window, moment,
                     exact ? layer.windows.moments.latest(static_cast<std::uint32_t>(access.known))
                           : sanitizers::Fibers::Later{},
                     access);
            }
        }
    }
}

/// Whether this rank has looked into its memory for what others have put there, as MPI_Win_sync is for.
bool has_synchronised(const Window& window) { return window.own_memory_in.synchronised == window.phase; }

/// Whether this rank has locked its memory against all that others do there under locks in this phase.
bool excludes_others(const Window& window) {
    const Window::Lock* const own = window.lock_of(window.group->rank);
    return window.own_memory_in.locked_exclusively == window.phase ||
           (own != nullptr && own->kind == Signal::exclusive_lock);
}

/// Whether others have accumulated in this rank's memory in this phase.
bool is_accumulated_to(DistributedLayer& layer, Window& window) {
    const int size = static_cast<int>(window.group->members.size());
    for (int member = 0; member < size; ++member) {
        const auto accesses = listed_accesses(layer, window, member, window.group->rank);
        if (std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
                return access.last >= window.phase && !reads(access.mode) && is_atomic(access.mode);
            })) {
            return true;
        }
    }
    return false;
}

/// Whether it has called anything but locks in the phase: it may have looked into its memory in between.
bool has_called(const DistributedLayer& layer, const Window& window) {
    const std::uint64_t calls = layer.board().calls.load(std::memory_order_relaxed) - window.calls_before_phase;
    return calls > window.lock_calls + 1;
}

/// Whether what is done under locks in this phase may be told to this rank, as far as it is concerned itself and but
/// for MPI_Win_sync.
bool may_tell_of_locks_to_who_does_not_look(DistributedLayer& layer, Window& window) {
    return !excludes_others(window) && !(has_called(layer, window) && is_accumulated_to(layer, window));
}

bool may_tell_of_locks(DistributedLayer& layer, Window& window) {
    return !has_synchronised(window) && may_tell_of_locks_to_who_does_not_look(layer, window);
}

/// Whether others have begun to write into this rank's memory in this phase.
bool is_written_anew(DistributedLayer& layer, Window& window) {
    const int size = static_cast<int>(window.group->members.size());
    for (int member = 0; member < size; ++member) {
        if (member == window.group->rank) {
            continue;
        }
        const auto accesses = listed_accesses(layer, window, member, window.group->rank);
        if (std::any_of(accesses.begin(), accesses.end(), [&](const Access& access) {
                return access.mode.owners == 0 && access.begun >= window.phase && !reads(access.mode);
            })) {
            return true;
        }
    }
    return false;
}

/// Whether it is one under a lock, in this phase, from which this rank's own lock does not keep it.
bool is_under_lock(const Window& window, const Access& access) {
    const bool locked = window.own_memory_in.locked == window.phase || window.lock_of(window.group->rank) != nullptr;
    return access.mode.opening == Opening::lock && access.last >= window.phase &&
           !(locked && access.mode.exposure == AccessMode::locked_exclusively);
}

}  // namespace

std::uint64_t informed_under_locks(DistributedLayer& layer, Window& window) {
    if (!clocks_tell_all_but_memory(layer, window) || excludes_others(window)) {
        return Access::of_all;
    }
    if (!has_synchronised(window)) {
        const bool has_looked = window.own_memory_in.read == window.phase || touches::may_have_missed();
        return has_looked && is_accumulated_to(layer, window) ? Access::of_all : Access::of_nothing;
    }
    if (has_called(layer, window) && is_accumulated_to(layer, window)) {
        return Access::of_all;
    }
    // What tells it that an earlier access has ended would have to be written after that end.
    return is_written_anew(layer, window) ? Access::of_all : Access::of_this_phase;
}

void note_entry(DistributedLayer& layer) {
    if (layer.windows.empty() || !layer.clocks.marks().windows || layer.windows.moments.lost()) {
        return;
    }
    constexpr std::uint32_t most_entries = clocks::most_marks / 2;  // the rest is for the ends of accesses
    const std::uint32_t number = layer.clocks.number_window_end();
    if (number == 0 || number >= most_entries) {
        layer.windows.moments.lose();
        return;
    }
    sanitizers::Fibers::note(layer.windows.moments.add(number));
    layer.clocks.end_in_window(number);
}

void tell_what_is_over(DistributedLayer& layer) {
    if (layer.windows.empty()) {
        return;
    }
    layer.windows.for_each([&](Window& window) {
        const int size = static_cast<int>(window.group->members.size());
        std::vector<std::pair<int, std::uint64_t>> over;
        for (int member = 0; member < size; ++member) {
            if (member == window.group->rank) {
                continue;
            }
            const base::Rank rank = world_rank(*window.group, member);
            for (const Access& access : listed_accesses(layer, window, member, window.group->rank)) {
                if (is_under_lock(window, access) && layer.clocks.knows_window_end(rank, access.end) &&
                    !window.told.contains({member, access.end})) {
                    over.emplace_back(member, access.end);
                }
            }
        }
        if (over.empty()) {
            return;
        }
        window.told.insert(over.begin(), over.end());  // or never: what comes later comes behind them
        if (!may_tell_of_locks(layer, window)) {
            return;
        }
        tell_all(layer, window, &window.phase_began, ToldByClocks(layer, window), false,
                 [&](int member, const Access& access) {
                     return is_under_lock(window, access) &&
                            std::find(over.begin(), over.end(), std::pair(member, access.end)) != over.end();
                 });
    });
}

void note_fence_left(DistributedLayer& layer, Window& window) {
    window.epoch_began = layer.windows.hearsay.now();
    if (sanitizers::thread_runtime != nullptr) {
        layer.pending_buffers.fibers().remember(&window.fenced_by);
    }
}

void tell_at_fence(DistributedLayer& layer, Window& window) {
    if (sanitizers::thread_runtime != nullptr) {
        tell_all(layer, window, &window.fenced_by, ToldByClocks(layer, window), true, [&](int, const Access& access) {
            return access.mode.opening == Opening::fence && access.last == window.phase;
        });
    }
}

void note_phase_begun(DistributedLayer& layer, Window& window) {
    window.calls_before_phase = layer.board().calls.load(std::memory_order_relaxed);
    window.lock_calls = 0;
    if (sanitizers::thread_runtime != nullptr) {
        layer.pending_buffers.fibers().remember(&window.phase_began);
        window.told.clear();
    }
}

void tell_at_end_of_phase(DistributedLayer& layer, Window& window) {
    if (sanitizers::thread_runtime == nullptr || !may_tell_of_locks(layer, window)) {
        return;
    }
    tell_all(layer, window, &window.phase_began, ToldByClocks(layer, window),
             !may_have_heard_since(layer, window.phase_began), [&](int member, const Access& access) {
                 return is_under_lock(window, access) && !window.told.contains({member, access.end});
             });
}

void note_exposed(DistributedLayer& layer, Window& window) {
    if (sanitizers::thread_runtime != nullptr) {
        layer.pending_buffers.fibers().remember(&window.posted_by);
    }
}

void tell_at_end_of_exposure(DistributedLayer& layer, Window& window) {
    if (sanitizers::thread_runtime != nullptr) {
        tell_all(layer, window, &window.posted_by, ToldByClocks(layer, window), true, [&](int, const Access& access) {
            return access.mode.opening == Opening::start && access.mode.exposure == window.exposures;
        });
    }
}

}  // namespace dampi::piggyback::distributed
