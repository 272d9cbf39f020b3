// For types that say themselves what of them is written down: in their `serialize`, which Boost.Serialization calls.
#pragma once

namespace dampi::replay {

/// Writes or reads these members of a value, in this order.
template <typename Archive, typename... Members>
void members(Archive& archive, Members&... each) {
    (void)(archive & ... & each);
}

}  // namespace dampi::replay
