// The messages that no rank has received when all ranks have finalized MPI, as violations. It does not look at runs
// that ended otherwise, nor at messages that were matched by a probe and never fetched, which the ranks themselves
// report.
#pragma once

#include "replay/violation.hpp"
#include "scheduler/judgement/record_reader.hpp"

#include <vector>

namespace dampi::scheduler {

/// One for each sending call and destination: `leak/message`, or `deadlock` for messages that wait for their receive,
/// for their sender cannot leave MPI_Finalize then (MPI 4.0, 11.2.2). Not counted are messages that a pending receive
/// takes (its request may have been freed), and those that their sender has asked MPI to cancel.
/// The reader has read.
[[nodiscard]] std::vector<replay::Violation> unreceived_messages(RecordReader& reader);

}  // namespace dampi::scheduler
