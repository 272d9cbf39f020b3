// Messages to this rank that are still there when all ranks have called MPI_Finalize. dampi-run tells what they mean;
// here MPI is relieved of them, for it may wait in MPI_Finalize until somebody receives them.
#pragma once

namespace dampi::piggyback::distributed {

class DistributedLayer;

/// Receives and drops them. All ranks have entered MPI_Finalize, and their progress is seen to meanwhile. What has not
/// come after a second, or came on a communicator that is gone, is left to MPI. Their envelopes stay.
void drop_unreceived(DistributedLayer& layer);

}  // namespace dampi::piggyback::distributed
