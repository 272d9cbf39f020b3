// Decides which MPI library the ranks get: the one that the program finds by itself, or the patched MPICH
// (piggyback/mpich), which is ABI-compatible with that, starts faster, and lets a blocked rank sleep. Looks at files
// only; never runs the program.
#pragma once

#include "launch/program/program.hpp"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace dampi::launch {

/// What the user wishes: "auto", "native", or the directory that a patched library is installed in.
inline constexpr const char* automatic_mpi = "auto";
inline constexpr const char* native_mpi = "native";

struct MpiLibrary {
    /// Where the ranks load it from. Empty where that shows only at run time, or where MPI is linked in.
    std::filesystem::path path;
    bool patched = false;
    /// Comes first in the ranks' LD_LIBRARY_PATH; empty: that stays as it is.
    std::filesystem::path directory;
    std::string why;          ///< it is this one: a phrase for people
    bool translated = false;  ///< the program is Open MPI's, and what it calls becomes MPICH's (piggyback/openmpi)
};

/// Where ./build-mpich installs and "auto" looks: $DAMPI_MPICH, or a place in the user's home. Empty: nowhere, for
/// DAMPI_MPICH is set to nothing.
[[nodiscard]] std::filesystem::path patched_mpi_prefix();

/// The library for this program. "auto" means the patched one if it is installed, the program would load it and can
/// tell it from its own by nothing that we know of; `own_launcher`: no other process manager starts the ranks.
/// `environment`: what the user wants in the ranks' environment. Throws dampi::Error when the wish is a directory and
/// there is no such library, or the program would not load it.
[[nodiscard]] MpiLibrary choose_mpi_library(const Program& program, const std::string& wish, bool own_launcher,
                                            const std::vector<std::pair<std::string, std::string>>& environment = {});

/// The LD_LIBRARY_PATH of the ranks; `users` is what it would be without the library.
[[nodiscard]] std::string library_path(const MpiLibrary& library, const std::string& users);

/// The user's LD_LIBRARY_PATH: from what he wants in the ranks' environment, or else from ours.
[[nodiscard]] std::string users_library_path(const std::vector<std::pair<std::string, std::string>>& environment);

}  // namespace dampi::launch
