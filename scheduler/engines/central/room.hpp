// The room that one rank has for its messages in standard mode (replay::Buffering::Kind::bytes), and what a send knows
// that has waited for it. Room is given in the order of the sends: a message has it as soon as the messages before it
// that nobody has received leave so much, itself included. That does not depend on when anybody looks: what is received
// only ever makes room. But which receives have made it may be a matter of chance, and from each follows something
// else; so what a completion tells is what follows from some of them, and could_differ() says afterwards whether others
// would have told less. Pure; a value. Not thread-safe.
#pragma once

#include "base/types.hpp"
#include "clocks/clock.hpp"
#include "clocks/snapshot.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace dampi::scheduler::central {

/// A message that takes room; they are numbered from 1 on in the order of sending.
using RoomUse = std::uint64_t;
inline constexpr RoomUse no_room_use = 0;
using RoomUses = std::vector<RoomUse>;

class Room {
public:
    /// A message to `receiver` is sent; the program knows `known`. `bytes` from 1 to `size`, which is what there is in
    /// all.
    RoomUse take(std::uint64_t bytes, base::Rank receiver, std::uint64_t size, const clocks::Clock& known);
    /// It was received; who knows of that knows `freed`.
    void free(RoomUse use, const clocks::Snapshot& freed);

    /// Whether the message sent last has its room, whatever else may have been received.
    [[nodiscard]] bool fits_anyway(std::uint64_t size) const { return bytes_ <= size; }
    /// Those whose room the program does not know to be free, in the order of sending, up to this one; this one alone
    /// if the program knows that it was received.
    [[nodiscard]] RoomUses up_to(RoomUse last) const;
    /// Whether the last of `uses` has its room, of `size` bytes in all.
    [[nodiscard]] bool fits(const RoomUses& uses, std::uint64_t size) const;
    /// The ranks which have not received those of `uses` that are not received; sorted, each once.
    [[nodiscard]] std::vector<base::Rank> receivers(const RoomUses& uses) const;
    /// way() will be asked about these, whatever the program gets to know until then.
    void keep(const RoomUses& uses);

    /// A way in which its sender could go on, with what it knew.
    struct Way {
        RoomUses used;          ///< these were received, and that was enough
        clocks::Snapshot told;  ///< what follows from that; null: nothing that was not known
    };
    /// The last of `uses` fits, or was received.
    [[nodiscard]] Way way(const RoomUses& uses, std::uint64_t size, const clocks::Clock& known);
    /// The program knows that these were received.
    void learn(const RoomUses& used);

    /// How many of the ways that were asked for could have been other ones, from which less follows.
    [[nodiscard]] std::uint64_t could_differ(std::uint64_t size) const;

private:
    struct Taken {
        std::uint64_t bytes = 0;
        base::Rank receiver = 0;
        clocks::Snapshot freed;  ///< null: nobody has received it
        bool kept = false;
    };
    struct Asked {
        RoomUses uses;
        RoomUses used;
        clocks::Clock known;
    };

    [[nodiscard]] const Taken& at(RoomUse use) const;
    template <typename Counts>
    [[nodiscard]] std::uint64_t sum(const RoomUses& uses, Counts&& counts) const;
    [[nodiscard]] std::uint64_t needed(const RoomUses& uses, std::uint64_t size) const;
    template <typename Free>
    void forget(Free&& is_free);

    RoomUse last_ = no_room_use;
    std::map<RoomUse, Taken> taken_;  ///< those in open_, and those that are kept
    RoomUses open_;                   ///< whose room the program does not know to be free
    std::uint64_t bytes_ = 0;         ///< of these
    std::vector<Asked> asked_;
};

}  // namespace dampi::scheduler::central
