// The value of LD_PRELOAD with which a program gets the layer, and the variables that say so to the layer, or what the
// environment was before.
#pragma once

#include <string>
#include <string_view>

namespace dampi::launch {

/// What the user preloads himself, for the layer to put back. Absent if nothing.
inline constexpr const char* users_preload_variable = "DAMPI_USER_PRELOAD";

/// The user's LD_LIBRARY_PATH, for the layer to put back where the ranks got another one; empty if he has none.
inline constexpr const char* users_library_path_variable = "DAMPI_USER_LIBRARY_PATH";

/// Present when the program may load MPI at run time, or start the program that does: the layer then waits for the
/// first call of MPI, in whichever process of the rank.
inline constexpr const char* late_variable = "DAMPI_LATE";

/// UCX loads its plug-ins whose names fit this variable, which the layer takes away with this value: none does.
inline constexpr const char* ucx_modules_variable = "UCX_MODULES";
inline constexpr const char* no_ucx_modules = "dampi-none";

/// What tells which memory an instruction reads and writes (piggyback/rank/touches/instruction.hpp): preloaded where
/// somebody asks for that.
inline constexpr const char* decoder_library = "libZydis.so.4.0";

/// The user's libraries come first: if other tools are among them that define MPI_ functions, they are outside the
/// layer, which must be next to the MPI library (piggyback/rank/symbols.hpp). The MPI library itself comes
/// last.
inline std::string preload_list(std::string_view layer, std::string_view users) {
    std::string before;
    std::string after;
    while (!users.empty()) {
        const auto end = users.find_first_of(": ");
        const auto entry = users.substr(0, end);
        users.remove_prefix(end == std::string_view::npos ? users.size() : end + 1);
        if (entry.empty()) {
            continue;
        }
        if (entry.substr(entry.rfind('/') + 1).starts_with("libmpich")) {
            after += ':';
            after += entry;
        } else {
            before += entry;
            before += ':';
        }
    }
    return before + std::string(layer) + after;
}

}  // namespace dampi::launch
