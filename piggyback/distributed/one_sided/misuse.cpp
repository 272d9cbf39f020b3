#include "piggyback/distributed/one_sided/misuse.hpp"

#include "piggyback/distributed/contradictions.hpp"
#include "piggyback/distributed/one_sided/accessed_bytes.hpp"
#include "piggyback/distributed/one_sided/attached_memory.hpp"
#include "piggyback/distributed/one_sided/conflicts.hpp"
#include "piggyback/distributed/one_sided/held_locks.hpp"
#include "piggyback/distributed/one_sided/races.hpp"
#include "piggyback/distributed/one_sided/signals.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/errors/quiet_errors.hpp"
#include "transport/log.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <utility>

namespace dampi::piggyback::distributed {
namespace {

using replay::ViolationKind;

std::string name_of(const AccessCall& call) { return {call.name, strnlen(call.name, sizeof call.name)}; }

/// Of data that MPI accepts.
std::uint64_t bytes_of(const TypedBuffer& buffer) {
    const QuietErrors quiet;
    MPI_Count size = 0;
    return PMPI_Type_size_x(buffer.type, &size) == MPI_SUCCESS && size > 0 && buffer.count > 0
               ? static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(buffer.count)
               : 0;
}

/// A call of this rank's.
EarlierCall own(const DistributedLayer& layer, const AccessCall& call, std::string what) {
    return {.rank = layer.rank(), .call = name_of(call), .site = call.site, .what = std::move(what)};
}

/// What this rank has open, if MPI allows nothing else beside it.
const AccessCall* open_call(const Window& window) {
    if (window.accessing) {
        return &window.started_by;
    }
    if (window.exposed) {
        return &window.posted_by;
    }
    return window.locks.empty() ? nullptr : &window.locks.begin()->second.call;
}

constexpr const char* still_open = "has opened an epoch that is not closed";

std::string rank_text(const Window& window, int member) {
    return "rank " + std::to_string(world_rank(*window.group, member));
}

/// In a dynamic window displacements are addresses.
void check_attached(DistributedLayer& layer, const Call& call, Window& window, const TargetBytes& bytes) {
    const Element* const element = layer.elements.of(bytes.type);
    const FoundBlocks found =
        element == nullptr ? FoundBlocks{} : find_blocks(*element, bytes.displacement, bytes.count);
    const std::string wrong = found.exact ? not_attached(layer, window, bytes.target, found.blocks) : std::string();
    if (!wrong.empty()) {
        note_contradiction(layer, call, ViolationKind::argument_displacement,
                           "accesses memory of " + rank_text(window, bytes.target) + wrong);
    }
}

void check_place(DistributedLayer& layer, const Call& call, Window& window, const TargetBytes& bytes) {
    if (window.is_dynamic) {
        check_attached(layer, call, window, bytes);
        return;
    }
    const Memory& memory = window.memories[static_cast<std::size_t>(bytes.target)];
    const auto span = span_of(layer, bytes, memory.unit);
    if (memory.size == Memory::not_known || !span || (span->begin >= 0 && span->end() <= memory.size)) {
        return;
    }
    note_contradiction(layer, call, ViolationKind::argument_displacement,
                       "accesses bytes " + std::to_string(span->begin) + " to " + std::to_string(span->end() - 1) +
                           " of " + rank_text(window, bytes.target) + "'s memory in the window, which has " +
                           std::to_string(memory.size) + " bytes");
}

/// Whether another rank has accessed the memory since the fence that this one has called last: then that has exposed
/// it, and still does, for the next one waits for this rank. Recorded if so.
bool check_not_exposed_by_fence(DistributedLayer& layer, const Call& call, Window& window, int target) {
    if (window.fenced_by.site == 0) {
        return false;
    }
    const int size = static_cast<int>(window.group->members.size());
    for (int member = 0; member < size; ++member) {
        for (int each = 0; member != window.group->rank && each < size; ++each) {
            if (target != Window::everyone && each != target) {
                continue;
            }
            for (const Access& access : listed_accesses(layer, window, member, each)) {
                if (access.mode.opening == Opening::fence && access.mode.owners == 0 &&
                    access.mode.fence == window.fences) {
                    note_contradiction(layer, call, ViolationKind::argument_synchronization,
                                       "locks memory that a fence has exposed",
                                       {.rank = world_rank(*window.group, member),
                                        .call = name_of(access.call),
                                        .site = access.call.site,
                                        .what = "accesses it, and no fence has ended that"});
                    return true;
                }
            }
        }
    }
    return false;
}

/// Whether the target has said that nobody will write, of what this access belongs to.
void check_promise(DistributedLayer& layer, const Call& call, Window& window, int target) {
    const bool by_start = window.accessing;
    const auto promise =
        latest(layer, window, by_start ? Signal::no_put_exposed : Signal::no_put_fenced, target, target);
    const std::uint64_t number = by_start ? value_taken_in(window, Signal::post, target) : window.fences;
    if (promise && promise->received == number && number != 0) {
        note_contradiction(
            layer, call, ViolationKind::argument_assertion,
            "writes into the memory of " + rank_text(window, target) + ", which has said that nobody would",
            {.rank = world_rank(*window.group, target),
             .call = by_start ? "MPI_Win_post" : "MPI_Win_fence",
             .site = promise->site,
             .what = "with MPI_MODE_NOPUT"});
    }
}

}  // namespace

void check_access(DistributedLayer& layer, const Call& call, Window& window, const TargetBytes& bytes,
                  const AccessKinds& kinds, bool by_request) {
    if (bytes.target < 0 || static_cast<std::size_t>(bytes.target) >= window.memories.size()) {
        return;  // MPI_PROC_NULL, or a rank that MPI refuses
    }
    check_place(layer, call, window, bytes);
    const Element* const element = reads({.kind = kinds.kind}) ? nullptr : layer.elements.of(bytes.type);
    if (element != nullptr && element->repeats_among(bytes.count)) {
        note_contradiction(layer, call, ViolationKind::buffer_overlap,
                           "writes with a datatype that has the same memory of the target more than once");
    }
    if (!window.locks.empty()) {
        if (window.lock_of(bytes.target) == nullptr) {
            note_contradiction(layer, call, ViolationKind::argument_synchronization,
                               "accesses the memory of " + rank_text(window, bytes.target) + ", which is not locked",
                               own(layer, window.locks.begin()->second.call, "has locked another rank's"));
        }
        return;
    }
    if (by_request && window.accessing) {
        note_contradiction(layer, call, ViolationKind::argument_synchronization, "has a request, and no lock is held",
                           own(layer, window.started_by, "has opened the epoch"));
    } else if (by_request && window.fenced_by.site != 0) {
        note_contradiction(layer, call, ViolationKind::argument_synchronization, "has a request, and no lock is held",
                           own(layer, window.fenced_by, "has opened the epoch"));
    }
    if (!reads({.kind = kinds.kind}) && bytes.target != window.group->rank) {
        check_promise(layer, call, window, bytes.target);
    }
}

void check_types(DistributedLayer& layer, const Call& call, const TypedBuffer& sent, const TypedBuffer& received) {
    const transport::TypedData from = layer.types.data(sent.count, sent.type);
    const transport::TypedData to = layer.types.data(received.count, received.type);
    const transport::TypeTable& table = layer.types.table();
    if (transport::surely_agree(from, table, to)) {
        return;
    }
    const std::uint64_t bytes = bytes_of(sent);
    const std::uint64_t room = bytes_of(received);
    if (bytes > room) {
        note_contradiction(layer, call, ViolationKind::truncation,
                           "moves " + std::to_string(bytes) + " bytes, its " + sent.name + ", into " +
                               std::to_string(room) + ", its " + received.name);
        return;
    }
    if (const auto difference = transport::difference(table, from, table, to)) {
        const auto place = [](const std::string& path, const std::string& name) {
            return (path.empty() ? "" : path + ": ") + name;
        };
        note_contradiction(layer, call, ViolationKind::type_message,
                           std::string("describes the same data in two ways: ") +
                               place(difference->path, difference->name) + " in its " + sent.name + ", " +
                               place(difference->other_path, difference->other_name) + " in its " + received.name);
    }
}

void check_lock(DistributedLayer& layer, const Call& call, const Window& window, int target) {
    const auto held = window.locks.find(target);
    const bool all = target == Window::everyone;
    if (held != window.locks.end() || (!window.locks.empty() && (all || window.locks.contains(Window::everyone)))) {
        const Window::Lock& lock = held != window.locks.end() ? held->second : window.locks.begin()->second;
        note_contradiction(layer, call, ViolationKind::argument_synchronization, "locks what is locked already",
                           own(layer, lock.call, "has locked it"));
    } else if (window.accessing) {
        note_contradiction(layer, call, ViolationKind::argument_synchronization, "locks memory within another epoch",
                           own(layer, window.started_by, still_open));
    } else if (window.exposed && (all || target == window.group->rank)) {
        note_contradiction(layer, call, ViolationKind::argument_synchronization, "locks memory that is exposed",
                           own(layer, window.posted_by, still_open));
    } else if (window.fence_access.site != 0) {
        note_contradiction(layer, call, ViolationKind::argument_synchronization,
                           "locks memory before a fence has ended the accesses that began after the last one",
                           own(layer, window.fence_access, "is such an access"));
    }
}

void check_locked(DistributedLayer& layer, const Call& call, const Window& window, int target) {
    const bool flushes = std::strstr(call.function(), "flush") != nullptr;
    const bool all = target == Window::everyone;
    const bool held = flushes ? all || window.lock_of(target) != nullptr : window.locks.contains(target);
    if (!held && !window.locks.empty()) {
        note_contradiction(layer, call, ViolationKind::argument_synchronization,
                           all ? "is called though not all memory was locked at once"
                               : "is called for the memory of " + rank_text(window, target) + ", which is not locked" +
                                     (window.locks.contains(Window::everyone) ? " alone" : ""),
                           own(layer, window.locks.begin()->second.call, "is the lock that is held"));
    }
}

void check_fence(DistributedLayer& layer, const Call& call, const Window& window, int assertions) {
    if (const AccessCall* open = open_call(window)) {
        note_contradiction(layer, call, ViolationKind::argument_synchronization, "is called within another epoch",
                           own(layer, *open, still_open));
    } else if ((assertions & MPI_MODE_NOPRECEDE) != 0 && window.fence_access.site != 0) {
        note_contradiction(layer, call, ViolationKind::argument_assertion,
                           "says that there was no access since the last fence (MPI_MODE_NOPRECEDE)",
                           own(layer, window.fence_access, "is one"));
    }
}

void check_no_store(DistributedLayer& layer, const Call& call, const Window& window, int assertions) {
    if ((assertions & MPI_MODE_NOSTORE) != 0 && window.has_synchronised && window.own_store.site != 0) {
        note_contradiction(
            layer, call, ViolationKind::argument_assertion,
            "says that nothing was stored in the rank's own memory since it last synchronised (MPI_MODE_NOSTORE)",
            own(layer, window.own_store, "is such a store"));
    }
}

void check_no_check(DistributedLayer& layer, const Call& call, Window& window, int assertions,
                    const std::vector<int>& targets) {
    const bool says_so = (assertions & MPI_MODE_NOCHECK) != 0;
    for (const int target : targets) {
        const std::uint64_t exposure = value_taken_in(window, Signal::post, target);
        const auto posted = latest(layer, window, Signal::post, target, window.group->rank);
        if (exposure == 0 || !posted || posted->received != exposure) {
            continue;
        }
        const auto unchecked = latest(layer, window, Signal::unchecked, target, target);
        const bool target_says_so = unchecked && unchecked->received == exposure;
        if (says_so != target_says_so) {
            note_contradiction(layer, call, ViolationKind::argument_assertion,
                               (says_so ? "gives MPI_MODE_NOCHECK, which MPI_Win_post of "
                                        : "does not give MPI_MODE_NOCHECK, which MPI_Win_post of ") +
                                   rank_text(window, target) + (says_so ? " does not" : " does"),
                               {.rank = world_rank(*window.group, target),
                                .call = "MPI_Win_post",
                                .site = posted->site,
                                .what = says_so ? "without MPI_MODE_NOCHECK" : "with MPI_MODE_NOCHECK"});
            return;
        }
    }
}

void check_start(DistributedLayer& layer, const Call& call, const Window& window) {
    if (window.accessing || !window.locks.empty()) {
        note_contradiction(
            layer, call, ViolationKind::argument_synchronization, "is called within another epoch",
            own(layer, window.accessing ? window.started_by : window.locks.begin()->second.call, still_open));
    } else if (window.fence_access.site != 0) {
        note_contradiction(layer, call, ViolationKind::argument_synchronization,
                           "is called before a fence has ended the accesses that began after the last one",
                           own(layer, window.fence_access, "is such an access"));
    }
}

void check_not_exposed(DistributedLayer& layer, const Call& call, Window& window, int target) {
    const int size = static_cast<int>(window.group->members.size());
    std::atomic_thread_fence(std::memory_order_seq_cst);  // one of both sees the other
    if (check_not_exposed_by_fence(layer, call, window, target)) {
        return;
    }
    for (int member = 0; member < size; ++member) {
        const bool is_meant = target == Window::everyone || member == target;
        const auto exposed = is_meant && member != window.group->rank
                                 ? latest(layer, window, Signal::exposed, member, member)
                                 : std::nullopt;
        // Who may access it in that exposure has done so, and takes it for over.
        if (exposed && exposed->received != 0 &&
            exposed->received != latest_value(layer, window, Signal::post, member, window.group->rank)) {
            note_contradiction(layer, call, ViolationKind::argument_synchronization,
                               "locks memory that its owner has exposed",
                               {.rank = world_rank(*window.group, member),
                                .call = "MPI_Win_post",
                                .site = exposed->site,
                                .what = still_open});
            return;
        }
    }
}

void check_not_locked(DistributedLayer& layer, const Call& call, Window& window) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (const auto holder = holder_of_own_memory(layer, window)) {
        note_contradiction(layer, call, ViolationKind::argument_synchronization, "exposes memory that is locked",
                           {.rank = world_rank(*window.group, holder->member),
                            .call = "MPI_Win_lock",
                            .site = holder->granted.site,
                            .what = "has locked it"});
    }
}

void check_post(DistributedLayer& layer, const Call& call, const Window& window) {
    if (window.exposed) {
        note_contradiction(layer, call, ViolationKind::argument_synchronization,
                           "is called while the memory is exposed already", own(layer, window.posted_by, still_open));
    }
}

void check_free(DistributedLayer& layer, const Call& call, const Window& window) {
    if (const AccessCall* open = open_call(window)) {
        note_contradiction(layer, call, ViolationKind::argument_synchronization, "frees a window in an epoch",
                           own(layer, *open, still_open));
    } else if (window.fence_access.site != 0) {
        note_contradiction(layer, call, ViolationKind::argument_synchronization,
                           "frees a window before a fence has ended the accesses that began after the last one",
                           own(layer, window.fence_access, "is such an access"));
    }
}

void note_not_posted(DistributedLayer& layer, const Call& call, const Window& window, int member) {
    note_contradiction(layer, call, ViolationKind::argument_assertion,
                       "says that all have posted (MPI_MODE_NOCHECK), and " + rank_text(window, member) + " has not");
}

void check_attach(DistributedLayer& layer, const Call& call, const Window& window, const void* base, MPI_Aint size) {
    const auto begin = reinterpret_cast<std::intptr_t>(base);
    const bool meets = std::any_of(window.attached.begin(), window.attached.end(), [&](const auto& piece) {
        const auto other = reinterpret_cast<std::intptr_t>(piece.first);
        return begin < other + piece.second && other < begin + size;
    });
    if (meets) {
        note_contradiction(layer, call, ViolationKind::argument_base,
                           "attaches memory of which some is attached to the window already");
    }
}

void check_detach(DistributedLayer& layer, const Call& call, const Window& window, const void* base) {
    if (!window.attached.contains(base)) {
        note_contradiction(layer, call, ViolationKind::argument_base,
                           "is called with memory that is not attached to the window");
    }
}

void check_free_mem(DistributedLayer& layer, const Call& call, const void* base) {
    layer.windows.for_each([&](const Window& window) {
        const bool in_use = open_call(window) != nullptr || window.fence_access.site != 0;
        if (base != nullptr && window.own_memory == base && in_use) {
            note_contradiction(layer, call, ViolationKind::argument_base, "frees the memory of a window in an epoch",
                               own(layer, window.made_by, "has made the window"));
        }
    });
}

}  // namespace dampi::piggyback::distributed
