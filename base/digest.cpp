#include "base/digest.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace dampi::base {

Digest digest_of(const void* bytes, std::size_t size) noexcept {
    const XXH128_hash_t hash = XXH3_128bits(bytes, size);
    return {.low = hash.low64, .high = hash.high64};
}

}  // namespace dampi::base
