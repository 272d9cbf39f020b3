// The ids and names of communicators. An id needs no communication, because all members can compute it: from the
// parent's id, how many were made from it before, and the lowest world rank in the new one (which tells the parts of a
// split from each other). The constructors that are not collective over a parent take the groups' members instead, and
// count how often the same ones came together.
#pragma once

#include "clocks/types.hpp"
#include "piggyback/call.hpp"
#include "piggyback/communicators/communicators.hpp"
#include "piggyback/layer.hpp"
#include "replay/hash.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dampi::piggyback {

/// Part of the stand-ins' ids where a leader of MPI_Intercomm_create tells its group that it has met the other.
inline constexpr std::uint64_t group_part = 1;
/// Begins the ids of communicators that were made from groups alone, in the place of a parent's id.
inline constexpr std::uint64_t from_groups_part = 2;

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
    IdHash& add(const std::vector<clocks::Rank>& ranks) {
        add(ranks.size());
        for (const clocks::Rank rank : ranks) {
            add(static_cast<std::uint64_t>(rank));
        }
        return *this;
    }
    [[nodiscard]] std::uint64_t value() const { return hash_.value(); }

    /// Never one of the predefined communicators' ids, which are small.
    [[nodiscard]] clocks::CommId id() const {
        constexpr clocks::CommId beyond_predefined = clocks::CommId{1} << 63;
        return value() | beyond_predefined;
    }

private:
    replay::Hash hash_;
};

/// ", ranks 0 2 5" unless the communicator has all the ranks of what it was made from.
[[nodiscard]] std::string members_text(const Communicator& communicator, std::size_t ranks_before);

/// Tells dampi-run who is in a communicator that has its id: one of its members does.
void log_members(Layer& layer, const Communicator& communicator);

/// Gives the communicator that a collective on `parent` has made, the `number`-th one of its kind, its id and name.
void baptise(Layer& layer, const Call& call, const Communicator& parent, std::uint64_t number, Communicator& made);

/// A stand-in for a communicator that does not exist yet, on which its members can already meet.
[[nodiscard]] Communicator stand_in(clocks::CommId id, std::vector<clocks::Rank> members, clocks::Rank own);

}  // namespace dampi::piggyback
