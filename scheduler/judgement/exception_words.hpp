// What a program's exception said that nobody has caught, read from what the ranks wrote to standard error: the last
// line of a traceback of Python's and where it was raised, or what C++'s runtime library prints when it ends the
// program. And the last that was said before a rank called MPI_Abort.
#pragma once

#include "base/types.hpp"
#include "replay/epoch.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace dampi::scheduler {

struct ExceptionWords {
    std::string text;         ///< "ValueError: boom", "std::runtime_error: order 3 first"
    replay::CodePlace where;  ///< Python's: where it was raised; else unknown

    bool operator==(const ExceptionWords&) const = default;
};

struct AllExceptionWords {
    std::optional<ExceptionWords> python;
    std::optional<ExceptionWords> cpp;
};

/// Each only where all that was said in this run is the same: the ranks' words are not told apart.
[[nodiscard]] AllExceptionWords exception_words(const std::filesystem::path& stderr_file);

/// "standard error: ValueError: boom (solver.py:31)".
[[nodiscard]] std::string quoted(const ExceptionWords& words);

/// "standard error: FATAL: no room": what stood there last before the MPI library said that this rank calls MPI_Abort,
/// whichever rank has written it. None where the library has not said so, or only the library and dampi stand there.
[[nodiscard]] std::optional<std::string> words_before_abort(const std::filesystem::path& stderr_file, base::Rank rank);

}  // namespace dampi::scheduler
