// What ISP calls the violations that a run shows, in ISP's few classes.
#pragma once

#include "replay/violation.hpp"

#include <cstdint>
#include <string>

namespace dampi::scheduler::isp {

enum class Trouble : std::uint8_t {
    none,      ///< a doubt or a warning
    deadlock,  ///< also collectives that do not fit each other, and ranks that poll for what never comes
    assertion,
    abort,
    invalid_rank,
    refused,  ///< MPI refuses another argument, or a message that is too long
    crash,    ///< a rank ended by a signal, or without MPI_Finalize
    leak,
    other,  ///< an error that ISP has no class for: what is sent, a window, a buffer, what a sanitizer says
};

[[nodiscard]] Trouble trouble_of(const replay::Violation& violation);

/// How dampi-isp ends: ISP's numbers, and two that ISP does not use.
enum class ExitCode : std::uint8_t {
    verified = 0,
    deadlock = 1,
    incomplete = 2,  ///< not ISP's: nothing found, but something was left out
    assertion = 3,
    abort = 4,
    invalid_rank = 5,
    internal_error = 10,  ///< not ISP's
    cannot_start = 11,    ///< the command line, the program or this machine is at fault
    log_not_written = 20,
    not_repeatable = 21,  ///< the program went another way on a restart
    crashed = 22,         ///< also for errors that ISP does not know
};

/// The code with which ISP ends for this trouble.
[[nodiscard]] ExitCode exit_code_of(Trouble trouble);

/// A leak's resource as ISP's log names it: "Communicator" for leak/communicator.
[[nodiscard]] std::string resource_of(const replay::Violation& leak);

}  // namespace dampi::scheduler::isp
