// What the generators of this folder know of MPICH's prototypes: which functions Open MPI has, and what a parameter's
// type is. Build-time code: it is no part of any library.
#pragma once

#include "piggyback/interception/prototypes.hpp"

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>

namespace dampi::piggyback::openmpi {

/// MPI_Comm_c2f and its kin, of which most are macros in MPICH's headers.
inline constexpr std::array classes_of_handles{"Comm", "Group", "Type",       "Request", "Message",
                                               "Op",   "Info",  "Errhandler", "Win"};

[[nodiscard]] bool ends_with_any(std::string_view name, std::initializer_list<std::string_view> endings);

/// Whether Open MPI has the function at all.
[[nodiscard]] bool is_translated(const Prototype& prototype);

/// MPI_Comm_c2f and its kin.
[[nodiscard]] bool is_number_of_handle(std::string_view name);

/// Whether it makes a persistent collective operation, which Open MPI 4 has under the name of an extension (MPIX_).
[[nodiscard]] bool is_extension_of_openmpi(std::string_view name);

/// A parameter's type, taken apart.
struct Type {
    std::string base;
    bool is_constant = false;
    int pointers = 0;
    bool is_array = false;
};
[[nodiscard]] Type type_of(const Parameter& parameter);

/// MPI_Comm and its kin, which are numbers in MPICH; so not MPI_File.
[[nodiscard]] bool is_handle(const Type& type);
/// What is the same for both libraries, with or without a pointer.
[[nodiscard]] bool is_plain(const Type& type);
/// A buffer of a message or the like, as its name says.
[[nodiscard]] bool is_buffer(const Type& type, std::string_view name);

/// Which parameter says how many elements an array of handles or statuses has. Throws dampi::Error where none does.
[[nodiscard]] std::string count_parameter(const Prototype& prototype, const std::string& array);

}  // namespace dampi::piggyback::openmpi
