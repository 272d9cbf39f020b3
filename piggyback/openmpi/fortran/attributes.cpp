#include "piggyback/openmpi/fortran/attributes.hpp"

#include "piggyback/openmpi/abi.hpp"

#include <mutex>
#include <set>

namespace dampi::piggyback::openmpi::fortran {
namespace {

std::mutex mutex;

struct Kept {
    std::set<MPI_Aint> values;
    std::set<const void*> addresses;
};

/// Lives as long as the process: nobody tells when the last attribute with a value is gone.
Kept& kept() {
    static auto* const all = new Kept;
    return *all;
}

}  // namespace

void* to_attribute(MPI_Aint value) {
    const std::lock_guard lock(mutex);
    const MPI_Aint* place = &*kept().values.insert(value).first;
    kept().addresses.insert(place);
    return const_cast<MPI_Aint*>(place);
}

MPI_Aint from_attribute(void* attribute) {
    const std::lock_guard lock(mutex);
    return kept().addresses.contains(attribute) ? *static_cast<MPI_Aint*>(attribute)
                                                : reinterpret_cast<MPI_Aint>(attribute);
}

MPI_Aint communicators_value(int keyval, void* attribute) {
    return keyval >= tag_ub && keyval <= universe_size ? *static_cast<int*>(attribute) : from_attribute(attribute);
}

MPI_Aint windows_value(int keyval, void* attribute) {
    switch (keyval) {
        case win_base:
            return reinterpret_cast<MPI_Aint>(attribute);
        case win_size:
            return *static_cast<MPI_Aint*>(attribute);
        case win_disp_unit:
        case win_create_flavor:
        case win_model:
            return *static_cast<int*>(attribute);
        default:
            return from_attribute(attribute);
    }
}

}  // namespace dampi::piggyback::openmpi::fortran
