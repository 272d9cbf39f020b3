// Whether two ranks' parts in one collective contradict each other. The ranks, which notice it, and the outside, where
// it becomes a violation, ask this one function. What need not agree, or is not known, never contradicts anything.
#pragma once

#include "base/types.hpp"
#include "transport/words.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace dampi::transport {

/// What two parts in the same collective of a communicator differ in. The first of these that applies counts.
enum class Difference : std::uint8_t {
    none,
    operation,  ///< different collectives, or different forms of one
    root,
    reduction,
    arguments,  ///< others that must be the same
    amount,     ///< of data
    types,      ///< of as much data
};

/// Symmetric.
[[nodiscard]] Difference difference(base::Rank rank, const Contribution& part, base::Rank other_rank,
                                    const Contribution& other);

/// The same for contributions that difference() cannot tell apart, but for whose they are; never 0.
[[nodiscard]] std::uint64_t digest_of(const Contribution& part);

/// After it, the ranks do not wait for each other as either of their collectives says.
[[nodiscard]] inline bool breaks_order(Difference found) {
    return found == Difference::operation || found == Difference::root;
}

/// Of parts that differ in types: the data of each that do.
[[nodiscard]] std::optional<std::pair<TypedData, TypedData>> differing_data(const Contribution& part,
                                                                            const Contribution& other);

/// The property in which it differs, in words, of one side: "root 0", "MPI_SUM", "4 bytes received"; empty for an
/// operation, and for types.
[[nodiscard]] std::string differing_property(Difference found, const Contribution& part);

}  // namespace dampi::transport
