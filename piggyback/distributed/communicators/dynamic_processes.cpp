// Calls that would join this program with processes of another one. MPICH's ch4:ucx offers none of it (all of them
// fail, before any process is started or met: ucx_spawn.c), so what is left to follow is that the root tells the
// others what came of it. Where an MPI library makes the communicator, its other processes are outside of what is
// explored: what happens on it passes through.

#include "piggyback/distributed/collectives/meeting.hpp"
#include "piggyback/interception/calls.hpp"

namespace dampi::piggyback::distributed {

using transport::Collective;
using transport::CollectiveForm;

namespace {

/// What the root of the call tells the others: everyone gets its error code.
Flow news_of(const Communicator& communicator, int root) {
    Flow flow;
    flow.root = communicator.members[static_cast<std::size_t>(root)];
    if (communicator.rank == root) {
        flow.readers = static_cast<std::uint32_t>(communicator.members.size()) - 1;
    } else {
        flow.sources = Flow::Sources::one;
        flow.one = root;
    }
    return flow;
}

template <typename Native>
int reach_others(const Call& call, MPI_Comm comm, int root, Collective collective, Native&& native) {
    DistributedLayer& layer = *DistributedLayer::current();
    // Whoever this waits for is not to be seen, so a rank in here is never taken for stuck.
    constexpr transport::WaitItem elsewhere{.kind = transport::WaitKind::foreign};
    Communicator* communicator = layer.communicators.find(comm);
    int result = MPI_SUCCESS;
    if (communicator == nullptr || communicator->inter || alone(*communicator) || root < 0 ||
        static_cast<std::size_t>(root) >= communicator->members.size()) {
        const BlockedInLibrary blocked(layer, call, elsewhere);
        result = native();
    } else {
        const Flow flow = news_of(*communicator, root);
        const std::uint32_t operation = operation_number(collective, CollectiveForm::blocking);
        note_entering(layer, call, *communicator, flow);
        Meeting meeting(layer, call, *communicator, flow, publish(layer, *communicator, operation, flow, call.site()));
        meeting.await();
        {
            const BlockedInLibrary blocked(layer, call, elsewhere);
            result = Call::unlocked(native);
        }
        meeting.learn();
    }
    if (result == MPI_SUCCESS) {
        call.not_modelled();
    }
    return result;
}

}  // namespace
}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

int comm_spawn(Call& call, const char* command, char* argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
               MPI_Comm* intercomm, int array_of_errcodes[]) noexcept {
    return reach_others(call, comm, root, Collective::comm_spawn, [&] {
        return PMPI_Comm_spawn(command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes);
    });
}

int comm_spawn_multiple(Call& call, int count, char* array_of_commands[], char** array_of_argv[],
                        const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, MPI_Comm comm,
                        MPI_Comm* intercomm, int array_of_errcodes[]) noexcept {
    return reach_others(call, comm, root, Collective::comm_spawn_multiple, [&] {
        return PMPI_Comm_spawn_multiple(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info, root,
                                        comm, intercomm, array_of_errcodes);
    });
}

int comm_accept(Call& call, const char* port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* newcomm) noexcept {
    return reach_others(call, comm, root, Collective::comm_accept,
                        [&] { return PMPI_Comm_accept(port_name, info, root, comm, newcomm); });
}

int comm_connect(Call& call, const char* port_name, MPI_Info info, int root, MPI_Comm comm,
                 MPI_Comm* newcomm) noexcept {
    return reach_others(call, comm, root, Collective::comm_connect,
                        [&] { return PMPI_Comm_connect(port_name, info, root, comm, newcomm); });
}

}  // namespace dampi::piggyback::distributed::calls
