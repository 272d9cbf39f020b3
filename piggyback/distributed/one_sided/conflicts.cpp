// Each rank keeps a list of its accesses to each member where the others can read it. Like order.cpp, it first adds an
// access, then looks at the lists of the others, so of two that conflict at least one sees the other. Accesses stay
// listed until the phase of the window is over in which they end; those between MPI_Win_start and MPI_Win_complete only
// meet those of the same exposure, and under an exclusive lock none.
#include "piggyback/distributed/one_sided/conflicts.hpp"

#include "piggyback/distributed/one_sided/races.hpp"
#include "piggyback/distributed/one_sided/shared_list.hpp"
#include "piggyback/distributed/one_sided/signals.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "transport/log.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
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
/// So many pairs of calls that race are recorded.
constexpr std::size_t most_races = 1024;

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

/// Of a basic type: its size, and whether it is a number with a fraction; 0 if that is not known. Atomic accesses of
/// different classes do not go together.
std::uint32_t element_class(MPI_Datatype type) {
    int integers = 0;
    int addresses = 0;
    int types = 0;
    int combiner = MPI_COMBINER_NAMED;
    if (PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS) {
        return 0;
    }
    if (combiner != MPI_COMBINER_NAMED) {
        if (types == 0) {
            return 0;
        }
        std::vector<int> some_integers(static_cast<std::size_t>(integers));
        std::vector<MPI_Aint> some_addresses(static_cast<std::size_t>(addresses));
        std::vector<MPI_Datatype> parts(static_cast<std::size_t>(types));
        if (PMPI_Type_get_contents(type, integers, addresses, types, some_integers.data(), some_addresses.data(),
                                   parts.data()) != MPI_SUCCESS) {
            return 0;
        }
        std::uint32_t found = element_class(parts.front());
        for (MPI_Datatype& part : parts) {
            found = element_class(part) == found ? found : 0;
            if (PMPI_Type_get_envelope(part, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
                combiner != MPI_COMBINER_NAMED) {
                PMPI_Type_free(&part);
            }
        }
        return found;
    }
    int size = 0;
    PMPI_Type_size(type, &size);
    constexpr std::uint32_t fraction = 1U << 31;
    const bool has_fraction = type == MPI_FLOAT || type == MPI_DOUBLE || type == MPI_LONG_DOUBLE || type == MPI_REAL ||
                              type == MPI_DOUBLE_PRECISION || type == MPI_REAL4 || type == MPI_REAL8;
    return static_cast<std::uint32_t>(size) | (has_fraction ? fraction : 0);
}

ElementBytes find_element(MPI_Datatype type) {
    MPI_Count size = 0;
    MPI_Count begin = 0;
    MPI_Count extent = 0;
    PMPI_Type_size_x(type, &size);
    PMPI_Type_get_true_extent_x(type, &begin, &extent);
    const std::uint32_t element = element_class(type);
    if (size <= 0) {
        return {};
    }
    const ElementBytes span_alone{
        .blocks = {{.begin = begin, .length = extent}}, .exact = size == extent, .element = element};
    if (size == extent || extent > largest_extent || size > largest_extent) {
        return span_alone;
    }
    const std::vector<char> packed(static_cast<std::size_t>(size), 1);
    std::vector<char> memory(static_cast<std::size_t>(extent));
    MPI_Count position = 0;
    auto* origin = reinterpret_cast<void*>(reinterpret_cast<std::intptr_t>(memory.data()) - begin);
    if (PMPI_Unpack_c(packed.data(), size, &position, origin, 1, type, MPI_COMM_SELF) != MPI_SUCCESS) {
        return span_alone;
    }
    std::vector<Blocks> found;
    for (auto first = std::find(memory.begin(), memory.end(), 1); first != memory.end();) {
        const auto last = std::find(first, memory.end(), 0);
        append(found, {.begin = begin + (first - memory.begin()), .length = last - first});
        first = std::find(last, memory.end(), 1);
    }
    return {.blocks = std::move(found), .exact = true, .element = element};
}

const ElementBytes& element_of(Windows& windows, MPI_Datatype type) {
    const auto [found, is_new] = windows.elements.try_emplace(type);
    if (is_new) {
        found->second = find_element(type);
    }
    return found->second;
}

struct FoundBlocks {
    std::vector<Blocks> blocks;
    bool exact = true;  ///< all of their bytes belong to the elements
};

/// Of elements that begin `first` bytes behind the beginning of the memory.
FoundBlocks find_blocks(const ElementBytes& bytes, MPI_Datatype type, std::int64_t first, std::int64_t count) {
    const std::vector<Blocks>& element = bytes.blocks;
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
        return {{all}, bytes.exact};
    }
    const Blocks whole = span(element);
    const Blocks everything{.begin = first + whole.begin, .length = whole.length + extent * (count - 1)};
    if (count > most_blocks / blocks) {
        return {{everything}, false};
    }
    std::vector<Blocks> found;
    for (std::int64_t i = 0; i < count; ++i) {
        for (const Blocks& each : element) {
            for (std::int64_t j = 0; j < each.count; ++j) {
                append(found, {.begin = first + i * extent + each.begin + j * each.stride, .length = each.length});
            }
        }
    }
    return found.size() > most_accesses / 2 ? FoundBlocks{{everything}, false}
                                            : FoundBlocks{std::move(found), bytes.exact};
}

// ---- what conflicts -----------------------------------------------------------------------------------------

constexpr Operators operators{.no_operation = MPI_NO_OP, .replacement = MPI_REPLACE};

bool between_start_and_complete(const AccessMode& mode) { return mode.opening == Opening::start; }

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

AccessMode mode_of(Window& window, int target, const AccessKinds& kinds, std::uint32_t element, bool exact) {
    AccessMode mode{.kind = kinds.kind,
                    .operation = kinds.kind == AccessKind::accumulate ? kinds.operation : 0,
                    .ordered = kinds.ordered ? 1U : 0U,
                    .exact = exact ? 1U : 0U};
    mode.element = is_atomic(mode) ? element : 0;
    if (const Window::Lock* held = window.lock_of(target)) {
        mode.opening = Opening::lock;
        mode.exposure = held->excludes && held->kind == Signal::exclusive_lock ? AccessMode::locked_exclusively : 0;
    } else if (window.accessing) {
        mode.opening = Opening::start;
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

AccessMode spanned(AccessMode mode) {
    mode.exact = 0;
    return mode;
}

/// Of accesses of one mode only the span remains.
void coarsen(std::vector<Access>& accesses) {
    std::vector<Access> coarse;
    for (const Access& each : accesses) {
        const auto same =
            std::find_if(coarse.begin(), coarse.end(), [mode = spanned(each.mode)](const Access& other) { return other.mode == mode; });
        if (same == coarse.end()) {
            coarse.push_back(each);
            coarse.back().blocks = span({each.blocks});
            coarse.back().mode = spanned(each.mode);
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
        if (listed.mode == access.mode && listed.call == access.call && contains(listed.blocks, access.blocks)) {
            const bool is_known = listed.last >= access.last && listed.end == 0;
            listed.last = std::max(listed.last, access.last);
            listed.end = 0;
            return is_known ? std::nullopt : std::optional(i);
        }
    }
    if (!accesses.empty() && accesses.back().mode == access.mode && accesses.back().call == access.call &&
        accesses.back().last == access.last &&
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

/// What of the others, or of this rank, these accesses meet.
struct Met {
    bool conflict = false;  ///< there may be one
    bool order = false;
};

/// Whether others have written into this rank's memory, where it can see it.
bool written_by_others(DistributedLayer& layer) {
    bool written = false;
    layer.windows.for_each([&](Window& window) {
        const int size = static_cast<int>(window.group->members.size());
        for (int member = 0; member < size && !written; ++member) {
            const transport::Token list =
                member == window.group->rank
                    ? 0
                    : latest_value(layer, window, Signal::bytes_accessed, member, window.group->rank);
            const auto accesses = list == 0 ? std::vector<Access>() : read(layer, list);
            written = std::any_of(accesses.begin(), accesses.end(),
                                  [](const Access& each) { return !reads(each.mode); });
        }
    });
    return written;
}

/// Whether this rank may have heard in this phase that an access of `member`'s was complete, though its clock does not
/// say so.
bool may_have_heard(DistributedLayer& layer, const Window& window, base::Rank member) {
    Windows& windows = layer.windows;
    return windows.shares_memory || layer.multithreaded || layer.unmodelled_calls ||
           windows.hearsay.heard_but_from(member, window.before_phase_began, window.phase_began) ||
           written_by_others(layer);
}

void log_race(DistributedLayer& layer, const Window& window, int target, const Access& own, int member,
              const Access& theirs) {
    const auto fields = [](const Access& access) {
        return transport::RaceFields{.site = access.call.site,
                                     .call = {access.call.name, strnlen(access.call.name, sizeof access.call.name)},
                                     .first = access.blocks.begin,
                                     .last = access.blocks.end() - 1};
    };
    const base::Rank rank = world_rank(*window.group, member);
    if (!layer.windows.races.emplace(own.call.site, rank, theirs.call.site).second ||
        layer.windows.races.size() > most_races) {
        return;
    }
    layer.log.append(transport::RaceRecord{.comm = window.group->id,
                                           .name = window.group->name,
                                           .target = world_rank(*window.group, target),
                                           .peer = rank,
                                           .met = first_common(own.blocks, theirs.blocks),
                                           .own = fields(own),
                                           .theirs = fields(theirs)});
}

void meet(DistributedLayer& layer, const Window& window, int target, int member, const Access& theirs,
          const Access& own, Met& met) {
    if (!overlap(theirs.blocks, own.blocks)) {
        return;
    }
    const bool knows_end = layer.clocks.knows_window_end(world_rank(*window.group, member), theirs.end);
    const Order order = order_of(theirs, own, window.phase, knows_end, [&] {
        return may_have_heard(layer, window, world_rank(*window.group, member));
    });
    if (order == Order::certain) {
        return;
    }
    met.order = met.order || order_matters(theirs.mode, own.mode);
    if (!kinds_conflict(theirs.mode, own.mode, operators)) {
        return;
    }
    if (order == Order::none && theirs.mode.exact != 0 && own.mode.exact != 0 && layer.windows.phases_are_known) {
        log_race(layer, window, target, own, member, theirs);
    } else {
        met.conflict = true;
    }
}

void meet_others(DistributedLayer& layer, Window& window, int target, const std::vector<Access>& news, Met& met) {
    const int size = static_cast<int>(window.group->members.size());
    for (int member = 0; member < size; ++member) {
        const transport::Token list =
            member == window.group->rank ? 0 : latest_value(layer, window, Signal::bytes_accessed, member, target);
        if (list == 0) {
            continue;
        }
        for (const Access& theirs : read(layer, list)) {
            for (const Access& access : news) {
                meet(layer, window, target, member, theirs, access, met);
            }
        }
    }
}

/// Between accesses of one rank only the end of one is an order, except that accumulating is done in the order of the
/// calls.
void meet_own(DistributedLayer& layer, const Window& window, int target, const std::vector<Access>& accesses,
              const Access& access, Met& met) {
    for (const Access& other : accesses) {
        const bool both_accumulate =
            other.mode.kind == AccessKind::accumulate && access.mode.kind == AccessKind::accumulate;
        if (other.last != Access::unfinished || both_accumulate ||
            !kinds_conflict(other.mode, access.mode, operators) || !overlap(other.blocks, access.blocks)) {
            continue;
        }
        if (other.mode.exact != 0 && access.mode.exact != 0) {
            log_race(layer, window, target, access, window.group->rank, other);
        } else {
            met.conflict = true;
        }
    }
}

}  // namespace

void note_bytes(DistributedLayer& layer, const Call& call, Window& window, const TargetBytes& bytes,
                const AccessKinds& kinds, bool is_over) {
    const int target = bytes.target;
    const MPI_Aint unit = window.memories[static_cast<std::size_t>(target)].unit;
    const ElementBytes& element = element_of(layer.windows, bytes.type);
    const FoundBlocks found = find_blocks(element, bytes.type, bytes.displacement * unit, bytes.count);
    const AccessMode mode = mode_of(window, target, kinds, element.element, found.exact);
    AccessList& own = window.accesses[target];
    const bool is_shorter = leave_out_old(own, window.phase, mode.exposure);
    if (!is_logged_place(call.site())) {
        log_modules(layer);  // others may name the place
    }
    const AccessCall by(call.site(), call.function());
    Met met;
    std::vector<Access> all;
    for (const Blocks& each : found.blocks) {
        all.push_back(
            {.blocks = each, .mode = mode, .last = is_over ? window.phase : Access::unfinished, .call = by});
        meet_own(layer, window, target, own.accesses, all.back(), met);
    }
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
    meet_others(layer, window, target, news, met);
    if (met.conflict) {
        layer.count_not_modelled("order of conflicting accesses");
    }
    if (met.order) {
        layer.count_not_modelled("order of atomic accesses");
    }
    if (is_over) {
        layer.windows.hearsay.read();
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
            if (each.last == Access::unfinished && (reads(each.mode) || each.mode.ordered != 0)) {
                layer.windows.hearsay.read();
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
