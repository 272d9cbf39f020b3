// sigaction() of the C library: UCX replaces it by one that does nothing for the signals that it handles itself.
#pragma once

#include <csignal>

namespace dampi::piggyback {

/// Looks it up, once; in a signal handler only later.
void find_libc_sigaction() noexcept;

/// As the C library's.
int libc_sigaction(int signal, const struct sigaction* action, struct sigaction* before) noexcept;

}  // namespace dampi::piggyback
