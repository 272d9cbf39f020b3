#include "piggyback/rank/object_names.hpp"

#include "piggyback/rank/communicators/names.hpp"
#include "piggyback/rank/layer.hpp"

#include <cstdint>

namespace dampi::piggyback {

std::string KnownNames::datatype(MPI_Datatype handle) {
    // MPI ends the program when it is asked for an invalid handle, as a call may have where it does not count.
    const Origin* origin =
        may_look_ ? layer_.resources.held(ResourceKind::datatype).newest_origin(static_cast<std::uint32_t>(handle))
                  : nullptr;
    if (origin == nullptr) {
        return "a derived datatype";
    }
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    PMPI_Type_get_name(handle, name, &length);
    return length > 0 ? std::string(name, static_cast<std::size_t>(length))
                      : std::string("a datatype of ") + origin->function;
}

std::string KnownNames::communicator(MPI_Comm handle) {
    const Communicator* known = may_look_ ? layer_.communicators.find(handle) : nullptr;
    return known == nullptr ? "another communicator" : name_of(*known);
}

}  // namespace dampi::piggyback
