// Memory of the process that the program neither writes nor reads, so that it has no part in comparing states of the
// program: the variables of the layer and of the dynamic linker, the addresses of functions that the linker fills in
// when they are called for the first time, and what the kernel writes by itself. Allocates nothing. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace dampi::piggyback {

struct Range {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;

    [[nodiscard]] bool contains(std::uintptr_t address) const { return begin <= address && address < end; }
};

class NotThePrograms {
public:
    /// Looks at the modules that are loaded now. Ranges beyond those that there is room for count as the program's.
    void find() noexcept;
    /// Another one. After find().
    void add(const Range& range) noexcept;

    [[nodiscard]] bool contains(std::uintptr_t address) const noexcept;
    /// Calls `visit(Range)` for the part of each range that lies in `within`.
    template <typename Visit>
    void for_each_in(const Range& within, Visit&& visit) const {
        for (std::size_t i = 0; i < count_; ++i) {
            const Range& each = ranges_[i];
            if (each.begin < within.end && within.begin < each.end) {
                visit(Range{.begin = each.begin < within.begin ? within.begin : each.begin,
                            .end = each.end < within.end ? each.end : within.end});
            }
        }
    }

private:
    std::array<Range, 256> ranges_{};
    std::size_t count_ = 0;
};

}  // namespace dampi::piggyback
