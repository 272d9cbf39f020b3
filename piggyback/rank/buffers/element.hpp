// Which bytes one element of a datatype consists of, counted from the buffer's address: found by writing through it with
// MPI's own functions, once for each datatype. Never changes a datatype.
#pragma once

#include "piggyback/rank/buffers/blocks.hpp"
#include "piggyback/rank/handle_map.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

namespace dampi::piggyback {

/// What is known of a datatype.
struct Element {
    std::int64_t begin = 0;   ///< of its first byte
    std::int64_t end = 0;     ///< behind its last one; `begin` for a datatype without data
    std::int64_t extent = 0;  ///< from one element to the next
    bool solid = false;       ///< each byte from `begin` to `end` is of it, and elements follow each other without gaps
    /// Its bytes, each once, in ascending order; nothing where they are not known.
    std::optional<std::vector<Blocks>> blocks;
    bool repeats = false;  ///< it has a byte more than once

    /// Whether `count` elements have a byte more than once; false where nobody can tell.
    [[nodiscard]] bool repeats_among(std::int64_t count) const;
};

class Elements {
public:
    /// Null for a datatype that MPI refuses. Not to be called with the same handle for another datatype before
    /// forget(). With the lock of the layer's calls.
    [[nodiscard]] const std::shared_ptr<const Element>& of(MPI_Datatype datatype) {
        Recent& recent = recent_[static_cast<std::uint32_t>(datatype) % recent_.size()];
        if (recent.datatype != datatype) {
            look_up(datatype, recent);
        }
        return recent.element;
    }

    /// The program frees the datatype: MPI may use the handle again for another one.
    void forget(MPI_Datatype datatype);

private:
    struct Recent {
        MPI_Datatype datatype = MPI_DATATYPE_NULL;
        std::shared_ptr<const Element> element;
    };

    void look_up(MPI_Datatype datatype, Recent& recent);

    HandleMap<std::shared_ptr<const Element>> by_handle_;
    std::array<Recent, 16> recent_;
};

}  // namespace dampi::piggyback
