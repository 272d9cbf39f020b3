// Which bytes a number of elements of a datatype takes up: blocks at even distances as far as they are few, else a span
// that has all of them. Asks only MPI about the datatype.
#pragma once

#include "piggyback/distributed/one_sided/access_list.hpp"
#include "piggyback/distributed/one_sided/window.hpp"

#include <cstdint>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback::distributed {

/// The bytes of one element, found once.
const ElementBytes& element_of(Windows& windows, MPI_Datatype type);

struct FoundBlocks {
    std::vector<Blocks> blocks;
    bool exact = true;  ///< all of their bytes belong to the elements
};

/// The bytes of `count` elements of the first of which `bytes` are, which begin at `first`.
[[nodiscard]] FoundBlocks find_blocks(const ElementBytes& bytes, MPI_Datatype type, std::int64_t first,
                                      std::int64_t count);

}  // namespace dampi::piggyback::distributed
