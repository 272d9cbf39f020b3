// Each rank keeps a list of its accesses to each member where the others can read it. Like order.cpp, it first adds an
// access, then looks at the lists of the others, so of two that conflict at least one sees the other. Accesses stay
// listed until the phase of the window is over in which they end; those between MPI_Win_start and MPI_Win_complete only
// meet those of the same exposure, and under an exclusive lock none.
#include "piggyback/distributed/one_sided/conflicts.hpp"

#include "piggyback/distributed/one_sided/shared_list.hpp"
#include "piggyback/distributed/one_sided/signals.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/rank/collectives/flow.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>
#include <vector>

namespace dampi::piggyback::distributed {
namespace {

/// A list has no more than that many accesses: of a longer one only the spans remain.
constexpr std::uint64_t most_accesses = 1024;
/// The bytes of a datatype with gaps are found by writing through it into memory of its extent; its span stands for one
/// that is larger.
constexpr MPI_Count largest_extent = MPI_Count{1} << 26;
/// Elements with gaps are looked at one by one as long as they have no more blocks together than that.
constexpr std::int64_t most_blocks = std::int64_t{1} << 20;

// ---- which bytes --------------------------------------------------------------------------------------------

void append(std::vector<Blocks>& all, const Blocks& next) {
    if (all.empty() || !extend(all.back(), next)) {
        all.push_back(next);
    }
}

/// The least span that has all of these.
Blocks span(const std::vector<Blocks>& all) {
    std::int64_t begin = all.front().begin;
    std::int64_t end = all.front().end();
    for (const Blocks& each : all) {
        begin = std::min(begin, each.begin);
        end = std::max(end, each.end());
    }
    return {.begin = begin, .length = end - begin};
}

std::vector<Blocks> find_element(MPI_Datatype type) {
    MPI_Count size = 0;
    MPI_Count begin = 0;
    MPI_Count extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_true_extent_x(type, &begin, &extent);
    if (size <= 0) {
        return {};
    }
    if (size == extent || extent > largest_extent || size > largest_extent) {
        return {{.begin = begin, .length = extent}};
    }
    const std::vector<char> packed(static_cast<std::size_t>(size), 1);
    std::vector<char> memory(static_cast<std::size_t>(extent));
    MPI_Count position = 0;
    auto* origin = reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(memory.data()) - begin);
    if (PMPI_Unpack_c(packed.data(), size, &position, origin, 1, type, MPI_COMM_SELF) != MPI_SUCCESS) {
        return {{.begin = begin, .length = extent}};
    }
    std::vector<Blocks> found;
    for (auto first = std::find(memory.begin(), memory.end(), 1); first != memory.end();) {
        const auto last = std::find(first, memory.end(), 0);
        append(found, {.begin = begin + (first - memory.begin()), .length = last - first});
        first = std::find(last, memory.end(), 1);
    }
    return found;
}

const std::vector<Blocks>& element_of(Windows& windows, MPI_Datatype type) {
    const auto [found, is_new] = windows.elements.try_emplace(type);
    if (is_new) {
        found->second = find_element(type);
    }
    return found->second;
}

/// Of elements that begin `first` bytes behind the beginning of the memory.
std::vector<Blocks> find_blocks(const std::vector<Blocks>& element, MPI_Datatype type, std::int64_t first,
                                std::int64_t count) {
    if (element.empty() || count <= 0) {
        return {};
    }
    MPI_Count lower = 0;
    MPI_Count extent = 0;
    PMPI_Type_get_extent_x(type, &lower, &extent);
    if (extent < 0) {  // from the last to the first
        first += extent * (count - 1);
        extent = -extent;
    }
    std::int64_t blocks = 0;
    for (const Blocks& each : element) {
        blocks += each.count;
    }
    if (blocks == 1 && (extent >= element.front().length || count == 1)) {
        Blocks all = element.front();
        all.begin += first;
        if (extent == all.length) {
            all.length *= count;
        } else if (count > 1) {
            all.stride = extent;
            all.count = count;
        }
        return {all};
    }
    const Blocks whole = span(element);
    const Blocks everything{.begin = first + whole.begin, .length = whole.length + extent * (count - 1)};
    if (count > most_blocks / blocks) {
        return {everything};
    }
    std::vector<Blocks> found;
    for (std::int64_t i = 0; i < count; ++i) {
        for (const Blocks& each : element) {
            for (std::int64_t j = 0; j < each.count; ++j) {
                append(found, {.begin = first + i * extent + each.begin + j * each.stride, .length = each.length});
            }
        }
    }
    return found.size() > most_accesses / 2 ? std::vector<Blocks>{everything} : found;
}

// ---- what conflicts -----------------------------------------------------------------------------------------

bool reads(const AccessMode& mode) { return mode.kind == AccessKind::read || mode.kind == AccessKind::atomic_read; }

bool kinds_conflict(const AccessMode& a, const AccessMode& b) {
    if (reads(a) && reads(b)) {
        return false;
    }
    if (a.kind == AccessKind::write || b.kind == AccessKind::write) {
        return true;
    }
    if (reads(a) || reads(b)) {
        return a.kind == AccessKind::read || b.kind == AccessKind::read;
    }
    return a.operation != b.operation && a.operation != MPI_NO_OP && b.operation != MPI_NO_OP;
}

/// Whether both may be made at the same time, but what is read, or is there then, depends on which is first.
bool order_matters(const AccessMode& a, const AccessMode& b) {
    const auto is_atomic = [](const AccessMode& mode) {
        return mode.kind == AccessKind::accumulate || mode.kind == AccessKind::atomic_read;
    };
    const auto is_ordered = [](const AccessMode& mode) {
        return mode.kind == AccessKind::atomic_read || mode.operation == MPI_NO_OP;
    };
    return is_atomic(a) && is_atomic(b) && !(reads(a) && reads(b)) && (is_ordered(a) || is_ordered(b));
}

bool between_start_and_complete(const AccessMode& mode) {
    return mode.exposure != 0 && mode.exposure != AccessMode::locked_exclusively;
}

/// Whether accesses of two ranks in one phase cannot happen at the same time.
bool are_ordered(const AccessMode& a, const AccessMode& b) {
    if (a.exposure == AccessMode::locked_exclusively || b.exposure == AccessMode::locked_exclusively) {
        return true;
    }
    return a.exposure != 0 && b.exposure != 0 && a.exposure != b.exposure;
}

// ---- the lists that ranks share ----------------------------------------------------------------------------------

SharedList& shared_list(const DistributedLayer& layer, transport::Token token) {
    return *static_cast<SharedList*>(layer.port.list(token));
}

/// Writes the accesses from number `first` on for the others.
void share(DistributedLayer& layer, const Call* call, Window& window, int target, AccessList& own, std::size_t first) {
    const bool must_grow = own.accesses.size() > own.capacity;
    if (must_grow) {  // the smaller list stays as it is: somebody may be reading it
        own.capacity = grown(own.capacity, own.accesses.size());
        own.shared = layer.port.make_list(list_bytes(own.capacity));
        shared_list(layer, own.shared).capacity = own.capacity;
        first = 0;
    }
    if (own.shared == 0) {
        return;
    }
    write(shared_list(layer, own.shared), own.accesses, first);
    if (must_grow) {
        give(layer, *call, window, Signal::bytes_accessed, target, 0, own.shared);
    }
}

/// Another member's list as it was at some moment of this call.
std::vector<Access> read(DistributedLayer& layer, transport::Token token) {
    SharedList& list = shared_list(layer, token);
    for (;;) {
        if (auto accesses = try_read(list)) {
            return *std::move(accesses);
        }
        waiting_detail::yield(layer);
    }
}

// ---- this rank's list -----------------------------------------------------------------------------------------

AccessMode mode_of(Window& window, int target, AccessKind kind, MPI_Op operation) {
    AccessMode mode{.kind = kind, .operation = kind == AccessKind::accumulate ? operation : 0};
    const auto held = window.locks.find(target);
    if (held != window.locks.end() && held->second.kind == Signal::exclusive_lock) {
        mode.exposure = AccessMode::locked_exclusively;
    } else if (window.accessing) {
        mode.exposure = target == window.group->rank ? window.exposures : value_taken_in(window, Signal::post, target);
    }
    return mode;
}

/// Leaves out what nobody's accesses can conflict with any more. Whether there was something.
bool leave_out_old(AccessList& own, std::uint64_t phase, std::uint64_t exposure) {
    if (own.phase == phase && own.exposure == exposure) {
        return false;
    }
    own.phase = phase;
    own.exposure = exposure;
    const auto old = [&](const Access& each) {
        const bool of_earlier_exposure =
            each.mode.exposure != 0 && exposure != AccessMode::locked_exclusively && each.mode.exposure < exposure;
        return each.last != Access::unfinished && (each.last < phase || of_earlier_exposure);
    };
    return std::erase_if(own.accesses, old) != 0;
}

/// Of accesses of one mode only the span remains.
void coarsen(std::vector<Access>& accesses) {
    std::vector<Access> coarse;
    for (const Access& each : accesses) {
        const auto same =
            std::find_if(coarse.begin(), coarse.end(), [&](const Access& other) { return other.mode == each.mode; });
        if (same == coarse.end()) {
            coarse.push_back(each);
            coarse.back().blocks = span({each.blocks});
        } else {
            same->blocks = span({same->blocks, each.blocks});
            same->last = std::max(same->last, each.last);
            same->end = same->end == 0 || each.end == 0 ? 0 : std::max(same->end, each.end);
        }
    }
    accesses = std::move(coarse);
}

/// Lists an access. The first that the others do not know by now; nothing if they do.
std::optional<std::size_t> list_access(std::vector<Access>& accesses, const Access& access) {
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        Access& listed = accesses[i];
        if (listed.mode == access.mode && contains(listed.blocks, access.blocks)) {
            const bool is_known = listed.last >= access.last && listed.end == 0;
            listed.last = std::max(listed.last, access.last);
            listed.end = 0;
            return is_known ? std::nullopt : std::optional(i);
        }
    }
    if (!accesses.empty() && accesses.back().mode == access.mode && accesses.back().last == access.last &&
        accesses.back().end == 0 && extend(accesses.back().blocks, access.blocks)) {
        return accesses.size() - 1;
    }
    const bool is_full = accesses.size() >= most_accesses;
    if (is_full) {
        coarsen(accesses);
    }
    accesses.push_back(access);
    return is_full ? 0 : accesses.size() - 1;
}

/// What of the others these accesses meet.
struct Met {
    bool conflict = false;
    bool order = false;
};

Met meet_others(DistributedLayer& layer, Window& window, int target, const std::vector<Access>& news) {
    Met met;
    const int size = static_cast<int>(window.group->members.size());
    for (int member = 0; member < size; ++member) {
        const transport::Token list =
            member == window.group->rank ? 0 : latest_value(layer, window, Signal::bytes_accessed, member, target);
        if (list == 0) {
            continue;
        }
        for (const Access& theirs : read(layer, list)) {
            if (layer.clocks.knows_window_end(world_rank(*window.group, member), theirs.end)) {
                continue;
            }
            for (const Access& access : news) {
                if (theirs.last >= window.phase && !are_ordered(theirs.mode, access.mode) &&
                    overlap(theirs.blocks, access.blocks)) {
                    met.conflict = met.conflict || kinds_conflict(theirs.mode, access.mode);
                    met.order = met.order || order_matters(theirs.mode, access.mode);
                }
            }
        }
    }
    return met;
}

/// Between accesses of one rank only the end of one is an order, except that accumulating is done in the order of the
/// calls.
bool conflicts_with_own(const std::vector<Access>& accesses, const Access& access) {
    return std::any_of(accesses.begin(), accesses.end(), [&](const Access& other) {
        const bool both_accumulate =
            other.mode.kind == AccessKind::accumulate && access.mode.kind == AccessKind::accumulate;
        return other.last == Access::unfinished && !both_accumulate && kinds_conflict(other.mode, access.mode) &&
               overlap(other.blocks, access.blocks);
    });
}

}  // namespace

void note_bytes(DistributedLayer& layer, const Call& call, Window& window, const TargetBytes& bytes, AccessKind kind,
                MPI_Op operation, bool is_over) {
    const int target = bytes.target;
    const MPI_Aint unit = window.units[static_cast<std::size_t>(target)];
    const auto blocks =
        find_blocks(element_of(layer.windows, bytes.type), bytes.type, bytes.displacement * unit, bytes.count);
    const AccessMode mode = mode_of(window, target, kind, operation);
    AccessList& own = window.accesses[target];
    const bool is_shorter = leave_out_old(own, window.phase, mode.exposure);
    std::vector<Access> all;
    for (const Blocks& each : blocks) {
        all.push_back({.blocks = each, .mode = mode, .last = is_over ? window.phase : Access::unfinished});
    }
    const bool conflict = std::any_of(all.begin(), all.end(),
                                      [&](const Access& access) { return conflicts_with_own(own.accesses, access); });
    std::size_t first_new = is_shorter ? 0 : own.accesses.size();
    std::vector<Access> news;
    for (const Access& access : all) {
        if (const auto changed = list_access(own.accesses, access)) {
            first_new = std::min(first_new, *changed);
            news.push_back(access);
        }
    }
    if (is_shorter || !news.empty()) {
        share(layer, &call, window, target, own, first_new);
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    const Met met = news.empty() ? Met{} : meet_others(layer, window, target, news);
    if (conflict || met.conflict) {
        layer.count_not_modelled("order of conflicting accesses");
    }
    if (met.order) {
        layer.count_not_modelled("order of atomic accesses");
    }
}

void end_accesses(DistributedLayer& layer, Window& window, int target, Ending ending, bool heard) {
    std::uint32_t end = 0;
    for (auto& [accessed, own] : window.accesses) {
        if (target != Window::everyone && accessed != target) {
            continue;
        }
        bool changed = false;
        for (Access& each : own.accesses) {
            if (ending == Ending::only_reads && !reads(each.mode)) {
                continue;
            }
            const bool news = heard && each.end == 0 && !between_start_and_complete(each.mode);
            if (news) {
                end = end == 0 ? layer.clocks.number_window_end() : end;
                each.end = end;
            }
            if (news || each.last == Access::unfinished) {
                each.last = std::min(each.last, window.phase);
                changed = true;
            }
        }
        if (changed) {
            share(layer, nullptr, window, accessed, own, 0);
        }
    }
    layer.clocks.end_in_window(end);
}

}  // namespace dampi::piggyback::distributed
