// What random programs may do beside what the generator makes of itself: it is put into them afterwards, with random
// numbers of its own, so that a seed without features makes the program that it always made.
#pragma once

#include "tests/oracle/program.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace dampi::oracle {

enum class Feature {
    collectives,    ///< all kinds that give everyone something of everyone, or go from or to a root; also nonblocking
    scans,          ///< with `collectives`: also MPI_Scan and MPI_Exscan
    matched,        ///< matched probes and their receives
    polls,          ///< tests of all kinds, and polling probes, repeated or not
    persistent,     ///< persistent requests
    freed,          ///< MPI_Request_free of sends
    cancelled,      ///< MPI_Cancel of receives
    large,          ///< large messages
    communicators,  ///< split ones and intercommunicators
    nobody,         ///< MPI_PROC_NULL
    sendrecv,       ///< also nonblocking
    ready,          ///< ready sends whose receive is certainly posted
};

using Features = std::set<Feature>;

/// "classic" (none), "all", or names with commas between; "all,-scans" are all but these. Throws std::runtime_error.
[[nodiscard]] Features parse_features(const std::string& text);

/// The program with some of these in it, the same for the same seed.
[[nodiscard]] Program with_features(Program program, const Features& features, std::uint64_t seed);

}  // namespace dampi::oracle
