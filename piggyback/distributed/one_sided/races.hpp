// Which accesses to the same memory conflict, and whether something orders two that do. Plain rules about what ranks
// have listed: no MPI, no other rank is asked.
#pragma once

#include "piggyback/distributed/one_sided/access_list.hpp"

#include <cstdint>

namespace dampi::piggyback::distributed {

/// The operators that the rules name, as MPI numbers them.
struct Operators {
    std::int32_t no_operation = 0;
    std::int32_t replacement = 0;
};

[[nodiscard]] inline bool reads(const AccessMode& mode) {
    return mode.kind == AccessKind::read || mode.kind == AccessKind::atomic_read;
}

/// Whether its rank gets to know of what is there.
[[nodiscard]] inline bool tells_its_rank(const AccessMode& mode) { return reads(mode) || mode.ordered != 0; }

[[nodiscard]] inline bool is_atomic(const AccessMode& mode) {
    return mode.kind == AccessKind::accumulate || mode.kind == AccessKind::atomic_read;
}

/// Whether MPI forbids to make both at the same time to the same bytes. Accumulating with one operator is allowed, and
/// so is any with MPI_NO_OP; whether others may meet MPI_REPLACE or MPI_Compare_and_swap is disputed, and so left to
/// order_matters().
[[nodiscard]] inline bool kinds_conflict(const AccessMode& a, const AccessMode& b, const Operators& operators) {
    if (reads(a) && reads(b)) {
        return false;
    }
    if (!is_atomic(a) || !is_atomic(b)) {
        return true;
    }
    if (a.element != 0 && b.element != 0 && a.element != b.element) {
        return true;
    }
    const auto goes_with_all = [&](const AccessMode& mode) {
        return reads(mode) || mode.operation == operators.no_operation || mode.operation == operators.replacement;
    };
    return a.operation != b.operation && !goes_with_all(a) && !goes_with_all(b);
}

/// Whether both may be made at the same time, but what is read, or is there then, depends on which is first.
[[nodiscard]] inline bool order_matters(const AccessMode& a, const AccessMode& b) {
    return is_atomic(a) && is_atomic(b) && !(reads(a) && reads(b)) && (a.ordered != 0 || b.ordered != 0);
}

enum class Order : std::uint8_t {
    certain,   ///< one of them is over before the other begins, or a lock keeps them apart
    possible,  ///< something may have ordered them that nobody follows
    none,
};

/// What orders another rank's access, which was listed before, and one that this rank makes in `phase` of the window.
/// `knows_end`: this rank knows of the end of theirs. `may_have_heard()`: it may have learned of that in a way that
/// clocks do not follow; asked only if it matters.
template <typename MayHaveHeard>
[[nodiscard]] Order order_of(const Access& theirs, const Access& own, std::uint64_t phase, bool knows_end,
                             MayHaveHeard&& may_have_heard) {
    const auto keeps_out = [](const Access& access, const Access& other) {  // who asks for no lock is not kept out
        return access.mode.exposure == AccessMode::locked_exclusively &&
               (other.mode.owners == 0 || (other.mode.owners & AccessMode::has_locked) != 0);
    };
    if (theirs.last < phase || keeps_out(theirs, own) || keeps_out(own, theirs)) {
        return Order::certain;
    }
    const auto number = [](const Access& access) {  // of the exposure; 0: not known, or none
        return access.mode.opening == Opening::start ? access.mode.exposure : 0;
    };
    const bool owners = theirs.mode.owners != 0 || own.mode.owners != 0;
    if (number(theirs) != 0 && number(own) != 0) {
        if (number(theirs) != number(own) || (owners && knows_end)) {
            return Order::certain;
        }
        // Where ends are not numbered, or no more of them, nobody knows of that of the owner's.
        const bool has_unknown_end = theirs.mode.owners != 0 && theirs.last != Access::unfinished && theirs.end == 0;
        return has_unknown_end ? Order::possible : Order::none;
    }
    if (knows_end) {
        return Order::certain;
    }
    if (owners && theirs.mode.opening != own.mode.opening) {
        return Order::possible;
    }
    if (own.mode.opening == Opening::start && number(own) == 0) {
        return Order::possible;
    }
    // This rank has begun its access: whoever comes after theirs does so because theirs is over. But the memory's owner
    // may have seen in it what was written, though the other rank does not know yet that it is there.
    if (theirs.last == Access::unfinished) {
        const bool may_have_seen = (own.mode.owners & AccessMode::by_itself) != 0 && !reads(theirs.mode);
        return may_have_seen && may_have_heard() ? Order::possible : Order::none;
    }
    switch (theirs.mode.opening) {
        case Opening::fence:                // ends with a fence that this rank has not left
            if (theirs.mode.owners != 0) {  // ended before, when its call was over
                return theirs.end != 0 && !may_have_heard() ? Order::none : Order::possible;
            }
            return own.mode.opening == Opening::fence ? Order::none : Order::possible;
        case Opening::lock:
            return theirs.end != 0 && own.mode.opening == Opening::lock && !may_have_heard() ? Order::none
                                                                                             : Order::possible;
        case Opening::start:
            break;
    }
    return Order::possible;
}

}  // namespace dampi::piggyback::distributed
