// The ids and names of communicators. An id needs no communication, because all members can compute it: from the
// parent's id, how many were made from it before, and the lowest world rank in the new one (which tells the parts of a
// split from each other). The constructors that are not collective over a parent take the groups' members instead, and
// count how often the same ones came together.
#pragma once

#include "base/hash.hpp"
#include "base/types.hpp"
#include "piggyback/rank/call.hpp"
#include "piggyback/rank/communicators/communicators.hpp"
#include "piggyback/rank/layer.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::piggyback {

/// Part of the stand-ins' ids where a leader of MPI_Intercomm_create tells its group that it has met the other. Nothing
/// that stands in this place in other ids: a rank, or a number of collectives.
inline constexpr std::uint64_t group_part = ~std::uint64_t{0};
/// Begins the ids of communicators that were made from groups alone, in the place of a parent's id.
inline constexpr std::uint64_t from_groups_part = ~std::uint64_t{1};

/// Of what makes a communicator.
class IdHash {
public:
    IdHash& add(std::uint64_t value) {
        hash_.add(value);
        return *this;
    }
    IdHash& add(const char* text) {
        hash_.add(std::string_view(text));
        return *this;
    }
    IdHash& add(const std::vector<base::Rank>& ranks) {
        add(ranks.size());
        for (const base::Rank rank : ranks) {
            add(static_cast<std::uint64_t>(rank));
        }
        return *this;
    }
    [[nodiscard]] std::uint64_t value() const { return hash_.value(); }

    /// Never one of the predefined communicators' ids, which are small.
    [[nodiscard]] base::CommId id() const {
        constexpr base::CommId beyond_predefined = base::CommId{1} << 63;
        return value() | beyond_predefined;
    }

private:
    base::Hash hash_;
};

/// ", ranks 0 2 5" unless the communicator has all the ranks of what it was made from.
[[nodiscard]] std::string members_text(const Communicator& communicator, std::size_t ranks_before);

/// Tells dampi-run who is in a communicator that has its id: one of its members does.
void log_members(Layer& layer, const Communicator& communicator);

/// Gives the communicator that a collective on `parent` has made, the `number`-th one of its kind, its id and name.
void baptise(Layer& layer, const Call& call, const Communicator& parent, std::uint64_t number, Communicator& made);

/// Likewise one that MPI_Intercomm_create has made of the groups of the communicators `local` and `remote`. Threads may
/// make several at a time from the same groups with the same tag: those communicators are what tells them apart.
void baptise(Layer& layer, const Call& call, base::CommId local, base::CommId remote, int tag, Communicator& made);

/// A stand-in for a communicator that does not exist yet, on which its members can already meet.
[[nodiscard]] Communicator stand_in(base::CommId id, std::vector<base::Rank> members, base::Rank own);

}  // namespace dampi::piggyback
