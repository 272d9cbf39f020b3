// Memory of one rank's part of the area, for things that come and go with live messages: blocks of a few
// fixed sizes, freed blocks are used again. Only the rank that owns the part allocates and frees.
#pragma once

#include "base/check.hpp"
#include "transport/memory/area.hpp"

#include <bit>
#include <cstring>
#include <vector>

namespace dampi::transport::memory {

class Slab {
public:
    Slab(const Area& area, base::Rank owner)
        : area_(area), next_((area.slab_begin(owner) + 63) / 64 * 64), end_(area.slab_end(owner)) {}

    /// A zeroed block of at least `bytes`, aligned to 64. Never fails: running out is a failed check.
    Offset allocate(std::uint64_t bytes) {
        const unsigned size_class = class_of(bytes);
        auto& free_list = free_lists_[size_class];
        if (!free_list.empty()) {
            const Offset block = free_list.back();
            free_list.pop_back();
            std::memset(&area_.at<std::uint8_t>(block), 0, std::uint64_t{1} << size_class);
            return block;
        }
        const Offset block = next_;
        next_ += std::uint64_t{1} << size_class;
        DAMPI_CHECK(next_ <= end_);
        return block;
    }

    void free(Offset block, std::uint64_t bytes) { free_lists_[class_of(bytes)].push_back(block); }

private:
    static unsigned class_of(std::uint64_t bytes) {
        const auto width = static_cast<unsigned>(std::bit_width(bytes - 1));
        return width < 6 ? 6 : width;
    }

    const Area& area_;
    Offset next_;
    Offset end_;
    std::vector<Offset> free_lists_[48];
};

}  // namespace dampi::transport::memory
