#include "piggyback/openmpi/handles.hpp"

#include "piggyback/openmpi/objects.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace dampi::piggyback::openmpi {
namespace {

constexpr Class class_MPI_Comm = Class::comm;
constexpr Class class_MPI_Group = Class::group;
constexpr Class class_MPI_Request = Class::request;
constexpr Class class_MPI_Message = Class::message;
constexpr Class class_MPI_Errhandler = Class::errhandler;
constexpr Class class_MPI_Info = Class::info;
constexpr Class class_MPI_Win = Class::win;
constexpr Class class_MPI_Op = Class::op;
constexpr Class class_MPI_Datatype = Class::datatype;

struct Predefined {
    Handle address;
    int mpich;
    int fortran;
    Class of;
};

/// Not a constant: the program's executable may have copies of the objects, and then theirs are the addresses.
#define OBJECT(type, symbol, size, fortran, mpich) Predefined{symbol, static_cast<int>(mpich), fortran, class_##type},
const auto& predefined() {
    static const std::array all{
#include "piggyback/openmpi/predefined.def"
    };
    return all;
}
#undef OBJECT

/// An address that no object has: the bits above the 32 of a number.
constexpr std::uint64_t tag = std::uint64_t{1} << 62U;

constexpr std::size_t count = std::tuple_size_v<std::remove_cvref_t<decltype(predefined())>>;

template <typename Key>
struct Entry {
    Key key;
    std::uint32_t index;
};

template <typename Key, typename KeyOf>
std::array<Entry<Key>, count> sorted_by(KeyOf key_of) {
    std::array<Entry<Key>, count> entries;
    for (std::uint32_t i = 0; i < count; ++i) {
        entries[i] = {key_of(predefined()[i]), i};
    }
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    return entries;
}

template <typename Key>
const Predefined* find_in(const std::array<Entry<Key>, count>& entries, Key key) {
    const auto found = std::lower_bound(entries.begin(), entries.end(), key,
                                        [](const Entry<Key>& entry, Key wanted) { return entry.key < wanted; });
    return found != entries.end() && found->key == key ? &predefined()[found->index] : nullptr;
}

const Predefined* by_address(Handle handle) {
    static const auto entries = sorted_by<std::uintptr_t>(
        [](const Predefined& each) { return reinterpret_cast<std::uintptr_t>(each.address); });
    return find_in(entries, reinterpret_cast<std::uintptr_t>(handle));
}

const Predefined* by_number(int handle) {
    static const auto entries = sorted_by<int>([](const Predefined& each) { return each.mpich; });
    return find_in(entries, handle);
}

/// More than any predefined one has in Fortran.
constexpr std::size_t fortran_numbers = 80;
constexpr std::size_t classes = static_cast<std::size_t>(Class::datatype) + 1;

std::array<std::array<Handle, fortran_numbers>, classes> by_fortran() {
    std::array<std::array<Handle, fortran_numbers>, classes> handles{};
    for (const Predefined& each : predefined()) {
        if (each.fortran >= 0) {
            handles[static_cast<std::size_t>(each.of)].at(static_cast<std::size_t>(each.fortran)) = each.address;
        }
    }
    return handles;
}

}  // namespace

int to_mpich(Handle handle) noexcept {
    const auto bits = reinterpret_cast<std::uint64_t>(handle);
    if ((bits >> 32U) == (tag >> 32U)) {
        return static_cast<int>(bits);
    }
    const Predefined* known = by_address(handle);
    return known != nullptr ? known->mpich : 0;  // never a handle
}

Handle to_openmpi(int handle) noexcept {
    const Predefined* known = by_number(handle);
    return known != nullptr ? known->address : reinterpret_cast<Handle>(tag | static_cast<std::uint32_t>(handle));
}

Handle message_to_openmpi(MPI_Message message) noexcept {
    return message == MPI_MESSAGE_NULL ? ompi_message_null : to_openmpi(message);
}

MPI_File file_to_mpich(Handle file) noexcept {
    return file == ompi_mpi_file_null ? MPI_FILE_NULL : static_cast<MPI_File>(const_cast<void*>(file));
}

Handle file_to_openmpi(MPI_File file) noexcept {
    return file == MPI_FILE_NULL ? static_cast<Handle>(ompi_mpi_file_null) : static_cast<Handle>(file);
}

int to_fortran(Handle handle) noexcept {
    const Predefined* known = by_address(handle);
    return known != nullptr ? known->fortran : to_mpich(handle);
}

Handle from_fortran(int number, Class of) noexcept {
    static const auto of_classes = by_fortran();
    const auto index = static_cast<std::size_t>(number);
    const Handle known =
        number >= 0 && index < fortran_numbers ? of_classes[static_cast<std::size_t>(of)][index] : nullptr;
    return known != nullptr ? known : reinterpret_cast<Handle>(tag | static_cast<std::uint32_t>(number));
}

}  // namespace dampi::piggyback::openmpi
