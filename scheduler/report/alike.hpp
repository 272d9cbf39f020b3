// Makes few lines of many: ranks that do the same become one entry, and where their texts differ only in numbers (each
// receives from its neighbour), the numbers are summarised. Pure text, for the reports.
#pragma once

#include "base/types.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace dampi::scheduler {

/// What one rank does. Entries with another `same` are never put together.
struct Described {
    base::Rank rank = 0;
    std::string same;
    std::string text;
};

struct Alike {
    std::vector<std::size_t> members;  ///< positions of the entries, in their order
    std::vector<base::Rank> ranks;     ///< sorted, each once
    std::string text;                  ///< for all of them
};

/// In the order of their first entries. Entries whose texts are equal are one. If that leaves more than `most`, so are
/// those that differ only in numbers: "source <own rank - 1, modulo 1000>" when `ranks` is 1000, "tag 1, 4, 9, ...
/// (31 values)".
std::vector<Alike> group_alike(const std::vector<Described>& entries, std::size_t most, base::Rank ranks);

}  // namespace dampi::scheduler
