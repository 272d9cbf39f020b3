// A Job whose ranks another process manager starts: its command runs as one child of ours and executes dampi-rank in
// the place of each rank (launch/dampi_rank.cpp), which reports to us how the program starts and ends. What we need to
// know does not depend on the manager: it sees no rank end before the job is over, and no request to abort.
//
// All ranks must be on this machine. The launcher's standard input is what rank 0's is without one; the ranks' output
// goes straight to where it belongs, and what the launcher itself prints goes there, too.
//
// Nothing of a launcher stays behind, with one exception: when we are killed, what it has started in a session of its
// own after the ranks.
#pragma once

#include "launch/job_driver.hpp"

#include <memory>

namespace dampi::launch {

/// Returns when all ranks have been started, or when spec.stop asks for it. Throws dampi::Error when they are not.
std::unique_ptr<JobDriver> start_command_job(JobSpec spec);

}  // namespace dampi::launch
