// What the MPI library says in a rank's name when it gives up, read from what the ranks wrote to standard error.
#pragma once

#include "base/types.hpp"

#include <filesystem>
#include <string>

namespace dampi::scheduler {

struct LibraryWords {
    std::string end;        ///< "Abort(403278854) on node 0 (rank 0 in comm 0): Fatal error in internal_Send: ..."
    std::string stack;      ///< the lines of the error stack behind it, as one
    std::string assertion;  ///< "Assertion failed in file src/x.c at line 12: ...": of the library's own
};

/// The first that it has said about this rank; empty if nothing.
[[nodiscard]] LibraryWords library_words(const std::filesystem::path& stderr_file, base::Rank rank);

}  // namespace dampi::scheduler
