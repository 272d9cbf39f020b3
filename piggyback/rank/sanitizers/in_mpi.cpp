#include "piggyback/rank/sanitizers/in_mpi.hpp"

#include <cstdlib>

namespace dampi::piggyback::sanitizers {
namespace {

__attribute__((tls_model("initial-exec"))) thread_local int depth = 0;

/// MPI has ended the process: ThreadSanitizer does not like that a thread ends without being looked at.
void look_again() {
    while (depth > 0) {
        in_mpi_detail::end();
    }
}

}  // namespace

namespace in_mpi_detail {

void begin() noexcept {
    static const bool registered = std::atexit(look_again) == 0;
    static_cast<void>(registered);
    ++depth;
    thread_runtime->ignore_begin(__FILE__, __LINE__);
}

void end() noexcept {
    if (depth > 0) {  // the runtime may have been found within a call
        --depth;
        thread_runtime->ignore_end(__FILE__, __LINE__);
    }
}

}  // namespace in_mpi_detail
}  // namespace dampi::piggyback::sanitizers
