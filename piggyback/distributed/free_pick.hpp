// What a rank does at a nondeterministic operation whose outcome nobody has decided.
#pragma once

#include "base/hash.hpp"
#include "replay/epoch.hpp"

#include <cstddef>
#include <cstdint>

namespace dampi::piggyback::distributed {

/// Which of `count` possibilities a free epoch takes in a run whose free matches are random; decided by the seed, the
/// epoch and the count.
inline std::size_t free_pick(std::uint64_t seed, replay::EpochId epoch, std::size_t count) {
    const std::uint64_t random = base::Hash(seed).add(static_cast<std::uint64_t>(epoch.rank)).add(epoch.index).value();
    return static_cast<std::size_t>(random % count);
}

}  // namespace dampi::piggyback::distributed
