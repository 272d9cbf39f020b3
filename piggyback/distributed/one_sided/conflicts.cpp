// Each rank keeps a list of its accesses to each member where the others can read it. Like order.cpp, it first adds an
// access, then looks at the lists of the others, so of two that conflict at least one sees the other. Accesses stay
// listed until the phase of the window is over in which they end; those between MPI_Win_start and MPI_Win_complete only
// meet those of the same exposure, and under an exclusive lock none.
#include "piggyback/distributed/one_sided/conflicts.hpp"

#include "piggyback/distributed/matching/matching.hpp"
#include "piggyback/distributed/one_sided/accessed_bytes.hpp"
#include "piggyback/distributed/one_sided/races.hpp"
#include "piggyback/distributed/one_sided/signals.hpp"
#include "piggyback/distributed/one_sided/told_lists.hpp"
#include "piggyback/distributed/waiting.hpp"
#include "piggyback/rank/code_places.hpp"
#include "piggyback/rank/collectives/flow.hpp"
#include "piggyback/rank/resources/access_requests.hpp"
#include "replay/possible_races.hpp"
#include "replay/violation_kind.hpp"
#include "transport/log.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace dampi::piggyback::distributed {
namespace {

/// A list has no more than that many accesses: of a longer one only the spans remain.
constexpr std::uint64_t most_accesses = 1024;
/// So many pairs of calls that race are recorded.
constexpr std::size_t most_races = 1024;
/// Likewise of those that may.
constexpr std::size_t most_named_conflicts = 16;
/// So many different uses of a rank's own memory in a window are compared.
constexpr std::size_t most_owners_uses = 64;

// ---- what conflicts -----------------------------------------------------------------------------------------

constexpr Operators operators{.no_operation = MPI_NO_OP, .replacement = MPI_REPLACE};

bool between_start_and_complete(const AccessMode& mode) { return mode.opening == Opening::start; }

// ---- the lists that ranks share ----------------------------------------------------------------------------------

/// Writes the accesses from number `first` on for the others. `site`: of the call that has added some; 0: only old ones
/// have changed.
void share(DistributedLayer& layer, std::uint64_t site, Window& window, int target, AccessList& own,
           std::size_t first) {
    tell(layer, site, window, Signal::bytes_accessed, target, own.told, own.accesses, first);
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
    } else {
        mode.fence = window.fences;
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
        const auto same = std::find_if(coarse.begin(), coarse.end(),
                                       [mode = spanned(each.mode)](const Access& other) { return other.mode == mode; });
        if (same == coarse.end()) {
            coarse.push_back(each);
            coarse.back().blocks = span({each.blocks});
            coarse.back().mode = spanned(each.mode);
        } else {
            same->blocks = span({same->blocks, each.blocks});
            same->last = std::max(same->last, each.last);
            same->end = same->end == 0 || each.end == 0 ? 0 : std::max(same->end, each.end);
            same->informed = std::max(same->informed, each.informed);
            same->known = std::max(same->known, each.known);
            same->begun = std::max(same->begun, each.begun);
            same->clock = Access::not_told;
            same->again = 1;
        }
    }
    accesses = std::move(coarse);
}

/// Lists an access. The first that the others do not know by now; nothing if they do.
std::optional<std::size_t> list_access(std::vector<Access>& accesses, const Access& access) {
    for (std::size_t i = 0; i < accesses.size(); ++i) {
        Access& listed = accesses[i];
        if (listed.mode != access.mode || listed.call != access.call || !contains(listed.blocks, access.blocks)) {
            continue;
        }
        const bool first_again = tells_its_rank(listed.mode) && std::exchange(listed.again, 1) == 0;
        if (listed.last >= access.last && listed.end == 0 && listed.informed >= access.informed &&
            listed.known >= access.known && listed.begun >= access.begun && listed.clock == access.clock) {
            return first_again ? std::optional(i) : std::nullopt;
        }
        if (listed.blocks == access.blocks) {  // else the rest of them would begin anew with these
            listed.last = std::max(listed.last, access.last);
            listed.end = 0;
            listed.informed = std::max(listed.informed, access.informed);
            listed.known = std::max(listed.known, access.known);
            listed.begun = std::max(listed.begun, access.begun);
            listed.clock = access.clock;
            return i;
        }
    }
    if (!accesses.empty() && accesses.back().mode == access.mode && accesses.back().call == access.call &&
        accesses.back().last == access.last && accesses.back().end == 0 &&
        accesses.back().informed == access.informed && accesses.back().known == access.known &&
        accesses.back().begun == access.begun && accesses.back().clock == access.clock &&
        extend(accesses.back().blocks, access.blocks)) {
        accesses.back().again = 1;
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
            if (member == window.group->rank) {
                continue;
            }
            const auto accesses = listed_accesses(layer, window, member, window.group->rank);
            written =
                std::any_of(accesses.begin(), accesses.end(), [](const Access& each) { return !reads(each.mode); });
        }
    });
    return written;
}

/// Access::informed of one that begins now.
std::uint64_t is_informed(const DistributedLayer& layer, const Window& window, const AccessMode& mode) {
    return may_have_heard_since(layer, mode.opening == Opening::lock ? window.phase_began : window.epoch_began)
               ? Access::of_all
               : Access::of_nothing;
}

/// Whether this rank may have heard in this phase that an access of `member`'s was complete, though its clock does not
/// say so.
bool may_have_heard(DistributedLayer& layer, const Window& window, base::Rank member) {
    return may_hear_unseen(layer) ||
           layer.windows.hearsay.heard_but_from(member, window.before_phase_began, window.phase_began) ||
           written_by_others(layer);
}

/// Whether an access under a lock in this phase, of `member`'s to `target`'s memory, may bring this rank the news that
/// `rank` has come to the mark `end`, or have let somebody know of what this rank has stored in its own memory. By
/// writing tells only who knows of it; what somebody reads is not followed. What is written into this rank's own memory
/// is another matter (informed_under_locks()).
bool may_bring_news(DistributedLayer& layer, const Window& window, int member, int target, const Access& access,
                    base::Rank rank, std::uint64_t end) {
    if (access.mode.owners != 0 || access.last < window.phase || access.mode.opening != Opening::lock) {
        return false;
    }
    if (tells_its_rank(access.mode)) {
        return true;
    }
    const int own = window.group->rank;
    if (target == own || member == own || end == 0) {
        return false;
    }
    return access.clock == Access::not_told ||
           layer.port.clock_of(world_rank(*window.group, member), access.clock)
               .vector.knows(clocks::window_ends_of(rank), static_cast<std::uint32_t>(end));
}

/// Whether what lies in windows may have told this rank of the end of `theirs`, an access of `member`'s in this rank's
/// memory of the window, or `member` of what this rank has done before, though no clock says so. That access has begun
/// before it could read anything, so it is none that brings news.
bool may_be_told_of_end(DistributedLayer& layer, const Window& window, int member, const Access& theirs) {
    return any_listed(layer, [&](const Window& other, int teller, int target, const Access& access) {
        const bool is_theirs =
            &other == &window && teller == member && target == window.group->rank && access.is_only(theirs);
        return !is_theirs &&
               may_bring_news(layer, other, teller, target, access, world_rank(*window.group, member), theirs.end);
    });
}

/// `target`: world rank.
void log_race(DistributedLayer& layer, const Window& window, base::Rank target, const AccessCall& own,
              const Blocks& own_blocks, base::Rank peer, const AccessCall& theirs, const Blocks& their_blocks,
              std::int64_t origin) {
    const auto fields = [&](const AccessCall& call, const Blocks& blocks) {
        return transport::RaceFields{.site = call.site,
                                     .call = {call.name, strnlen(call.name, sizeof call.name)},
                                     .first = blocks.begin - origin,
                                     .last = blocks.end() - 1 - origin};
    };
    if (layer.windows.races.size() >= most_races ||
        !layer.windows.races.emplace(target, own.site, peer, theirs.site).second) {
        return;
    }
    if (!is_logged_place(own.site)) {
        log_modules(layer);
    }
    layer.log.append(transport::RaceRecord{.comm = window.group->id,
                                           .name = window.group->name,
                                           .target = target,
                                           .peer = peer,
                                           .met = first_common(own_blocks, their_blocks) - origin,
                                           .own = fields(own, own_blocks),
                                           .theirs = fields(theirs, their_blocks)});
}

void log_race(DistributedLayer& layer, const Window& window, int target, const Access& own, int member,
              const Access& theirs) {
    log_race(layer, window, world_rank(*window.group, target), own.call, own.blocks, world_rank(*window.group, member),
             theirs.call, theirs.blocks, 0);
}

/// It is not certain that both race: they are named, each pair of places once.
void name_conflict(DistributedLayer& layer, const AccessCall& own, base::Rank peer, const AccessCall& theirs) {
    static std::set<std::tuple<std::uint64_t, base::Rank, std::uint64_t>> named;
    if (named.size() >= most_named_conflicts || !named.emplace(own.site, peer, theirs.site).second) {
        return;
    }
    if (!is_logged_place(own.site)) {
        log_modules(layer);
    }
    const auto name = [](const AccessCall& call) {
        return std::string(call.name, strnlen(call.name, sizeof call.name));
    };
    layer.log.append(transport::ContradictionRecord{.kind = replay::number_of(replay::ViolationKind::rma_race),
                                                    .message = replay::possible_races,
                                                    .call = name(own),
                                                    .arguments = {},
                                                    .site = own.site,
                                                    .earlier_rank = peer,
                                                    .earlier_call = name(theirs),
                                                    .earlier_site = theirs.site,
                                                    .earlier_what = {}});
}

void meet(DistributedLayer& layer, const Window& window, int target, int member, const Access& theirs,
          const Access& own, Met& met) {
    const bool conflict = kinds_conflict(theirs.mode, own.mode, operators);
    if (!(conflict || order_matters(theirs.mode, own.mode)) || !overlap(theirs.blocks, own.blocks)) {
        return;
    }
    const base::Rank rank = world_rank(*window.group, member);
    const bool knows_end = layer.clocks.knows_window_end(rank, theirs.end);
    const Order order = order_of(theirs, own, window.phase, knows_end, [&] {
        if ((own.mode.owners & AccessMode::by_itself) == 0) {
            return !conflict || may_have_heard(layer, window, rank);
        }
        return !conflict || own.informed == Access::of_all ||
               (own.informed == Access::of_this_phase && theirs.begun >= window.phase) ||
               may_be_told_of_end(layer, window, member, theirs);
    });
    if (order == Order::certain) {
        return;
    }
    if (!conflict) {
        met.order = true;
    } else if (order == Order::none && theirs.mode.exact != 0 && own.mode.exact != 0 &&
               layer.windows.phases_are_known) {
        log_race(layer, window, target, own, member, theirs);
    } else if (theirs.mode.owners == 0 && own.mode.owners == 0) {
        met.conflict = true;
        name_conflict(layer, own.call, rank, theirs.call);
    }
}

void meet_others(DistributedLayer& layer, Window& window, int target, const std::vector<Access>& news, Met& met) {
    const int size = static_cast<int>(window.group->members.size());
    for (int member = 0; member < size; ++member) {
        if (member == window.group->rank) {
            continue;
        }
        for (const Access& theirs : listed_accesses(layer, window, member, target)) {
            for (const Access& access : news) {
                meet(layer, window, target, member, theirs, access, met);
            }
        }
    }
}

/// Between accesses of one rank only the end of one is an order, except that accumulating is done in the order of the
/// calls. What it does there beside accesses is compared as buffers are (used_buffers.hpp).
void meet_own(DistributedLayer& layer, const Window& window, int target, const std::vector<Access>& accesses,
              const Access& access, Met& met) {
    for (const Access& other : accesses) {
        const bool both_accumulate =
            other.mode.kind == AccessKind::accumulate && access.mode.kind == AccessKind::accumulate;
        const bool both_owners = other.mode.owners != 0 && access.mode.owners != 0;
        if (other.last != Access::unfinished || both_accumulate || both_owners ||
            !kinds_conflict(other.mode, access.mode, operators) || !overlap(other.blocks, access.blocks)) {
            continue;
        }
        if (other.mode.exact != 0 && access.mode.exact != 0) {
            log_race(layer, window, target, access, window.group->rank, other);
        } else if (access.mode.owners == 0) {
            met.conflict = true;
            name_conflict(layer, access.call, layer.rank(), other.call);
        }
    }
}

/// Lists them, which `met` has heard of as far as this rank's own are concerned, and compares them with those of
/// others.
void list_and_meet(DistributedLayer& layer, Window& window, int target, const std::vector<Access>& all, Met met) {
    if (all.empty()) {
        return;
    }
    AccessList& own = window.accesses[target];
    const bool is_shorter = leave_out_old(own, window.phase, all.front().mode.exposure);
    const std::uint64_t site = all.front().call.site;
    if (!is_logged_place(site)) {
        log_modules(layer);  // others may name the place
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
        share(layer, site, window, target, own, first_new);
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
    meet_others(layer, window, target, news, met);
    if (met.conflict) {
        layer.count_not_modelled(replay::possible_races);
    }
    if (met.order) {
        layer.count_not_modelled("order of atomic accesses");
    }
}

/// The owner's use of its memory, of which the kind and by what it is are given, begins. Whether it is followed.
bool begin_use(DistributedLayer& layer, Window& window, Access access) {
    const int own_rank = window.group->rank;
    const bool has_locked = window.own_memory_in.locked == window.phase || window.lock_of(own_rank) != nullptr;
    const AccessKind kind = access.mode.kind;
    const std::uint64_t owners = access.mode.owners | (has_locked ? AccessMode::has_locked : 0);
    access.mode = mode_of(window, own_rank, {.kind = kind}, 0, true);
    access.mode.opening = window.exposed ? Opening::start : window.fenced_by.site != 0 ? Opening::fence : Opening::lock;
    access.mode.exposure = window.exposed ? window.exposures : access.mode.exposure;
    access.mode.owners = owners;
    access.begun = window.phase;
    access.last = Access::unfinished;
    std::vector<Access>& listed = window.accesses[own_rank].accesses;
    std::size_t uses = 0;
    for (const Access& each : listed) {
        uses += each.mode.owners != 0 ? 1 : 0;
        if (each.mode.owners != 0 && each.last == Access::unfinished && each.call == access.call &&
            each.blocks == access.blocks) {
            return false;  // it lasts already
        }
    }
    // That of an earlier round of a loop: who knows of the end of this one knows of the end of that.
    const bool is_again = std::erase_if(listed, [&](const Access& each) {
                              return each.mode.owners != 0 && each.call == access.call && each.blocks == access.blocks;
                          }) != 0;
    if (is_again) {
        share(layer, access.call.site, window, own_rank, window.accesses[own_rank], 0);
    } else if (uses >= most_owners_uses) {
        return false;
    }
    if (kind == AccessKind::read) {
        window.own_memory_in.read = window.phase;
        // Who gets what is sent knows that it has been read.
        const std::uint32_t end = layer.clocks.number_window_end();
        access.end = end;
        layer.clocks.end_in_window(end);
    }
    Met met;
    meet_own(layer, window, own_rank, listed, access, met);
    list_and_meet(layer, window, own_rank, {access}, met);
    return true;
}

}  // namespace

void log_buffer_race(DistributedLayer& layer, const Window& window, const OriginBuffer& own,
                     const OriginBuffer& other) {
    log_race(layer, window, transport::RaceRecord::buffer_of_origin, own.call, own.blocks, layer.rank(), other.call,
             other.blocks, std::min(own.blocks.begin, other.blocks.begin));
}

std::optional<Blocks> span_of(DistributedLayer& layer, const TargetBytes& bytes, MPI_Aint unit) {
    const Element* const element = layer.elements.of(bytes.type);
    const FoundBlocks found =
        element == nullptr ? FoundBlocks{} : find_blocks(*element, bytes.displacement * unit, bytes.count);
    return found.blocks.empty() ? std::nullopt : std::optional(span(found.blocks));
}

namespace {

/// Those of the request are over, and so are others of its rank's for which one of the list stands, too; whether all of
/// these are complete is not known.
void end_read_of(DistributedLayer& layer, MPI_Request handle, const AccessRequest& request) {
    const AccessCall call(request.origin.site, request.origin.function);
    bool others = false;
    access_requests().for_each([&](MPI_Request other, const AccessRequest& each) {
        others = others || (other != handle && each.window == request.window && each.target == request.target &&
                            AccessCall(each.origin.site, each.origin.function) == call);
    });
    layer.windows.for_each([&](Window& window) {
        if (&window != request.window) {
            return;
        }
        AccessList& own = window.accesses[request.target];
        std::uint32_t end = 0;
        bool changed = false;
        for (Access& each : own.accesses) {
            if (each.mode.owners != 0 || each.mode.kind != AccessKind::read || each.call != call || each.end != 0) {
                continue;
            }
            each.last = std::min(each.last, window.phase);
            if (!others && !between_start_and_complete(each.mode)) {
                end = end == 0 ? layer.clocks.number_window_end() : end;
                each.end = end;
            }
            changed = true;
        }
        if (changed) {
            layer.windows.hearsay.read();
            share(layer, 0, window, request.target, own, 0);
        }
        layer.clocks.end_in_window(end);
    });
}

/// Access::clock of one that begins now: of what is done under locks, as often as there is room for.
std::uint64_t clock_of_access(DistributedLayer& layer, const AccessMode& mode) {
    constexpr std::uint32_t most_clocks = 1000;
    if (mode.opening != Opening::lock || layer.windows.clocks_told == most_clocks || !layer.clocks.marks().windows) {
        return Access::not_told;
    }
    ++layer.windows.clocks_told;
    return publish(layer, layer.clocks.now());
}

}  // namespace

void note_bytes(DistributedLayer& layer, const Call& call, Window& window, const TargetBytes& bytes,
                const AccessKinds& kinds) {
    const int target = bytes.target;
    const MPI_Aint unit = window.memories[static_cast<std::size_t>(target)].unit;
    const Element* const element = layer.elements.of(bytes.type);
    if (element == nullptr) {
        return;  // MPI refuses it
    }
    const FoundBlocks found = find_blocks(*element, bytes.displacement * unit, bytes.count);
    const AccessMode mode = mode_of(window, target, kinds, element->basic, found.exact);
    const AccessCall by(call.site(), call.function());
    const std::uint64_t clock = clock_of_access(layer, mode);
    Met met;
    std::vector<Access> all;
    for (const Blocks& each : found.blocks) {
        all.push_back({.blocks = each,
                       .mode = mode,
                       .begun = window.phase,
                       .last = Access::unfinished,
                       .call = by,
                       .informed = is_informed(layer, window, mode),
                       .known = layer.clocks.latest_window_end(world_rank(*window.group, target)),
                       .clock = clock});
        meet_own(layer, window, target, window.accesses[target].accesses, all.back(), met);
    }
    list_and_meet(layer, window, target, all, met);
    if (mode.opening == Opening::fence && window.locks.empty()) {
        window.fence_access = by;
    }
}

bool may_hear_unseen(const DistributedLayer& layer) {
    return layer.windows.shares_memory || layer.multithreaded || layer.unmodelled_calls;
}

bool may_have_heard_since(const DistributedLayer& layer, std::uint64_t moment) {
    return may_hear_unseen(layer) || layer.windows.hearsay.heard_but_from(base::any_source, moment, moment);
}

std::vector<Access> listed_accesses(DistributedLayer& layer, Window& window, int member, int target) {
    if (member == window.group->rank) {
        return window.accesses[target].accesses;
    }
    return told<Access>(layer, window, Signal::bytes_accessed, member, target);
}

void note_own_bytes(DistributedLayer& layer, const Call& call, Window& window, const Blocks& blocks, AccessKind kind) {
    const Access access{.blocks = blocks,
                        .mode = {.kind = kind},
                        .begun = window.phase,
                        .last = Access::unfinished,
                        .call = AccessCall(call.site(), call.function())};
    list_and_meet(layer, window, window.group->rank, {access}, {});
}

bool begin_owners_use(DistributedLayer& layer, Window& window, const Blocks& blocks, AccessKind kind,
                      const AccessCall& call) {
    return begin_use(layer, window,
                     {.blocks = blocks, .mode = {.kind = kind, .owners = AccessMode::by_call}, .call = call});
}

void end_owners_use(DistributedLayer& layer, Window& window, const Blocks& blocks, const AccessCall& call) {
    AccessList& own = window.accesses[window.group->rank];
    for (Access& each : own.accesses) {
        if (each.mode.owners != 0 && each.last == Access::unfinished && each.call == call && each.blocks == blocks) {
            each.last = window.phase;
            if (each.end == 0) {
                const std::uint32_t end = layer.clocks.number_window_end();
                each.end = end;
                layer.clocks.end_in_window(end);
            }
            share(layer, 0, window, window.group->rank, own, 0);
            return;
        }
    }
}

void owners_uses_go_on(DistributedLayer& layer, Window& window) {
    const int own_rank = window.group->rank;
    AccessList& own = window.accesses[own_rank];
    std::vector<Access> news;
    for (Access& each : own.accesses) {
        if (each.mode.owners != 0 && each.last == Access::unfinished && each.mode.opening != Opening::fence) {
            each.mode.opening = Opening::fence;
            news.push_back(each);
        }
    }
    if (!news.empty()) {
        share(layer, news.front().call.site, window, own_rank, own, 0);
        std::atomic_thread_fence(std::memory_order_seq_cst);
        Met met;
        meet_others(layer, window, own_rank, news, met);
    }
}

void note_owners_touch(DistributedLayer& layer, Window& window, const Blocks& blocks, AccessKind kind,
                       const AccessCall& call, std::uint64_t informed) {
    if (begin_use(layer, window,
                  {.blocks = blocks,
                   .mode = {.kind = kind, .owners = AccessMode::by_itself},
                   .call = call,
                   .informed = informed})) {
        end_owners_use(layer, window, blocks, call);
    }
}

void end_buffers(DistributedLayer& layer, Window& window, int target) {
    const auto is_over = [&](const OriginBuffer& buffer) {
        const bool over = target == Window::everyone || buffer.target == target;
        if (over && buffer.still != StillMemory::none) {
            layer.pending_buffers.still().remove(buffer.still);
        }
        if (over && buffer.pending != PendingBuffers::none) {
            layer.pending_buffers.release(buffer.pending, [](const PendingUse& /*pending*/) {});
        }
        return over;
    };
    std::erase_if(window.read_buffers, is_over);
    std::erase_if(window.filled_buffers, is_over);
    access_requests().for_each([&](MPI_Request /*handle*/, AccessRequest& request) {
        if (request.window == &window && (target == Window::everyone || request.target == target)) {
            request.buffers.release();
        }
    });
}

void end_waited_read(DistributedLayer& layer, MPI_Request handle) {
    access_requests().for_each_of(handle, [&](const AccessRequest& request) { end_read_of(layer, handle, request); });
}

void end_accesses(DistributedLayer& layer, Window& window, int target, Ending ending, bool heard) {
    end_buffers(layer, window, target);
    std::uint32_t end = 0;
    for (auto& [accessed, own] : window.accesses) {
        if (target != Window::everyone && accessed != target) {
            continue;
        }
        bool changed = false;
        for (Access& each : own.accesses) {
            if (each.mode.owners != 0 || (ending == Ending::only_reads && !reads(each.mode))) {
                continue;  // what others do than accesses ends by itself
            }
            if (each.last == Access::unfinished && tells_its_rank(each.mode)) {
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
            share(layer, 0, window, accessed, own, 0);
        }
    }
    layer.clocks.end_in_window(end);
}

}  // namespace dampi::piggyback::distributed
