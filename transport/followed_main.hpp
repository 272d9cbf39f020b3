// The value of RunTerms::places_have_stacks for runs that are to find from where the ranks' mains return. Each call is
// told with its stack there, too.
#pragma once

#include <cstdint>

namespace dampi::transport {

inline constexpr std::uint32_t main_is_followed = 2;

}  // namespace dampi::transport
