// The two kinds of trouble that are not violations in the user's program: `dampi::Error`, an environment
// or usage error whose text tells the user what to do, and DAMPI_CHECK, a broken invariant of ours, on in
// release builds too. Violations in the program under test are values (replay/violation.hpp).
#pragma once

#include <stdexcept>
#include <string>

namespace dampi {

/// An environment or usage error. The text is one sentence for the user, without a trailing newline.
class Error : public std::runtime_error {
public:
    explicit Error(const std::string& sentence) : std::runtime_error(sentence) {}
};

/// A broken invariant of dampi itself; dampi-run turns it into exit status 4.
class InternalError : public std::logic_error {
public:
    explicit InternalError(const std::string& what) : std::logic_error(what) {}
};

/// Called by a failed DAMPI_CHECK. Throws InternalError unless set_check_handler installed another end.
[[noreturn]] void check_failed(const char* condition, const char* file, int line);

/// Inside a rank no exception may cross an MPI wrapper: the layer installs a handler that records the
/// failure and ends the process. The handler must not return. Not thread-safe; call it once at start.
using CheckHandler = void (*)(const char* condition, const char* file, int line);
void set_check_handler(CheckHandler handler);

}  // namespace dampi

#define DAMPI_CHECK(condition) \
    (static_cast<bool>(condition) ? void(0) : ::dampi::check_failed(#condition, __FILE__, __LINE__))
