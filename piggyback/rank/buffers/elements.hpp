// Which bytes the datatypes of the program's consist of: found by writing through each with MPI's own functions, once.
// Never changes a datatype.
#pragma once

#include "piggyback/rank/buffers/element.hpp"
#include "piggyback/rank/handle_map.hpp"
#include "piggyback/rank/resources/resources.hpp"

#include <array>
#include <cstdint>
#include <set>

#include <mpi.h>

namespace dampi::piggyback {

class Elements {
public:
    /// `resources` lives as long as this.
    explicit Elements(Resources& resources) : resources_(resources) {}

    /// Null for a datatype that MPI refuses, that the program has freed, or one too many. Stays valid. Not to be called
    /// with the same handle for another datatype before forget(). With the lock of the layer's calls.
    [[nodiscard]] const Element* of(MPI_Datatype datatype) {
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
        const Element* element = nullptr;
    };

    void look_up(MPI_Datatype datatype, Recent& recent);

    Resources& resources_;
    std::set<Element> all_;  ///< many datatypes are alike
    HandleMap<const Element*> by_handle_;
    std::array<Recent, 16> recent_;
};

}  // namespace dampi::piggyback
