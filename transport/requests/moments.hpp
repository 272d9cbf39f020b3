// Where a rank writes down the moments in which it waits, and what is in its memory then, for dampi-run to compare with
// another run: files in a folder that dampi-run makes for the run. It believes nothing that it reads there.
#pragma once

#include "base/types.hpp"

#include <cstdint>
#include <string>

namespace dampi::transport::requests {

/// The rank's environment variable with the folder; not there: nobody wants to know.
inline constexpr const char* moments_variable = "DAMPI_MOMENTS";

/// Of a rank's moments no more are written down.
inline constexpr std::uint32_t most_moments = 20'000;

// The names of the files, before the rank's number.

/// Lines: "moment NUMBER FUNCTION SITE KNOWN LOW HIGH STACK_END [PC SP RBP]...", in hexadecimal digits but for the
/// function, one for each call in which the rank waits, numbered from 1, with the functions of the program on the
/// stack, the innermost first; "received BEGIN END SOURCE TAG": a message has come to be there since the moment before,
/// of which the program is told this source and tag.
inline constexpr const char* moments_name = "moments";
/// The process's /proc/self/maps.
inline constexpr const char* mappings_name = "maps";
/// Written by dampi-run: the numbers of moments, in lines, whose memory is wanted.
inline constexpr const char* wanted_name = "wanted";
/// With the moment's number behind that of the rank: pieces, each a MemoryPiece, as many bytes, and if there were
/// others before, these.
inline constexpr const char* memory_name = "memory";

inline std::string file_of_rank(const std::string& folder, const char* name, base::Rank rank) {
    return folder + "/" + name + "." + std::to_string(rank);
}
inline std::string memory_file(const std::string& folder, base::Rank rank, std::uint32_t moment) {
    return file_of_rank(folder, memory_name, rank) + "." + std::to_string(moment);
}

struct MemoryPiece {
    std::uint64_t begin = 0;
    std::uint64_t size = 0;
    std::uint64_t has_before = 0;  ///< 0: there were zeros
};

}  // namespace dampi::transport::requests
