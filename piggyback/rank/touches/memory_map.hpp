// What the program may do with the memory that is mapped, as the system says (/proc/self/maps). Memory that the program
// may read and write is believed to be so until forget().
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace dampi::piggyback::touches {

struct Mapped {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    int rights = 0;  ///< PROT_
    bool is_stack = false;

    bool operator==(const Mapped&) const = default;
};

/// The lines of such a file.
[[nodiscard]] std::vector<Mapped> parse_maps(std::string_view text);

class MemoryMap {
public:
    /// The mapping with that address; null if there is none.
    [[nodiscard]] const Mapped* find(std::uint64_t address);
    /// Whatever was read is old.
    void forget() { all_.clear(); }

private:
    std::vector<Mapped> all_;
};

}  // namespace dampi::piggyback::touches
