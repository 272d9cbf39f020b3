// At the end of a run: what each rank that still lives was doing. Ranks inside MPI write it down themselves; the call
// stacks of all others are read from outside. To be called before the ranks are killed.
#pragma once

#include "launch/job.hpp"
#include "replay/epoch.hpp"
#include "transport/run_view.hpp"

#include <vector>

namespace dampi::scheduler {

/// By rank, for RecordReader::situation(): stacks read from outside; empty for ranks that have written down their own,
/// that have ended, or of which none is to be had. Sets the epilogue round, so that blocked ranks do not return to the
/// program; takes at most half a second, and only a moment where all ranks answer.
[[nodiscard]] std::vector<std::vector<replay::CodePlace>> capture_situations(launch::Job& job,
                                                                             transport::RunControl& run);

}  // namespace dampi::scheduler
