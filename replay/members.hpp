// For types that say themselves what of them is written down: in their `serialize`, which Boost.Serialization calls.
#pragma once

namespace dampi::replay {

/// The last enumerator of an enum whose enumerators count from 0; without it the enum cannot be serialised.
template <typename Enum>
struct LastValue;

/// Writes or reads these members of a value, in this order.
template <typename Archive, typename... Members>
void members(Archive& archive, Members&... each) {
    (void)(archive & ... & each);
}

}  // namespace dampi::replay
