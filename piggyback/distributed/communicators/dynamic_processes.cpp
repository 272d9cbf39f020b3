// Calls that would join this program with processes of another one. MPICH's ch4:ucx offers none of it (all of them
// fail, before any process is started or met: ucx_spawn.c), so what is left to follow is that the root tells the
// others what came of it. Where an MPI library makes the communicator, its other processes are outside of what is
// explored: what happens on it passes through.

#include "piggyback/distributed/collectives/meeting.hpp"
#include "piggyback/interception/calls.hpp"
#include "piggyback/rank/errors/held_error.hpp"
#include "piggyback/rank/translation.hpp"
#include "replay/unseen_calls.hpp"
#include "transport/words.hpp"

#include <cstdio>
#include <string>
#include <string_view>

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

/// Whether this is no fault of the call's: nobody is there who could start processes.
bool is_for_lack_of_means(int result) {
    int error_class = MPI_SUCCESS;
    PMPI_Error_class(result, &error_class);
    return error_class == MPI_ERR_OTHER || error_class == MPI_ERR_SPAWN || error_class == MPI_ERR_INTERN ||
           error_class == MPI_ERR_UNKNOWN;
}

/// What the program does where it gets no processes is not what it does where it gets them. If the error would end it,
/// or with the program's own library there would be none, the run ends here, and nothing is said against the program.
void end_without_processes(const Call& call, int result) {
    DistributedLayer& layer = *DistributedLayer::current();
    layer.count_not_modelled((std::string(replay::processes_by) + call.function()).c_str(), call.site());
    std::fprintf(stderr, "dampi: rank %d: %s cannot %s processes here\n", layer.rank(), call.function(),
                 std::string_view(call.function()).starts_with("MPI_Comm_spawn") ? "start" : "meet other");
    PMPI_Abort(MPI_COMM_WORLD, result);
}

/// Whether errors of the communicator end the program.
bool ends_program(MPI_Comm comm) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) {
        return false;
    }
    const bool ends = handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_ABORT;
    PMPI_Errhandler_free(&handler);
    return ends;
}

/// Native calls of MPI_Comm_spawn and the like, whose failing ends nobody before it is known why.
template <typename Native>
int start_processes(const Call& call, MPI_Comm comm, Native&& native) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    if (DistributedLayer::current()->communicators.find(comm) == nullptr ||
        PMPI_Comm_get_errhandler(comm, &handler) != MPI_SUCCESS) {
        return native();
    }
    PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    int result = native();
    PMPI_Comm_set_errhandler(comm, handler);
    PMPI_Errhandler_free(&handler);
    const bool is_fatal = ends_program(comm);
    if (result == MPI_SUCCESS) {
        return result;
    }
    if (is_for_lack_of_means(result) && (is_fatal || translation.size != 0)) {
        end_without_processes(call, result);
    }
    return native();  // fails once more, as the program has asked for
}

}  // namespace
}  // namespace dampi::piggyback::distributed

namespace dampi::piggyback::distributed::calls {

int comm_spawn(Call& call, const char* command, char* argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
               MPI_Comm* intercomm, int array_of_errcodes[]) noexcept {
    return reach_others(call, comm, root, Collective::comm_spawn, [&] {
        return start_processes(call, comm, [&] {
            return PMPI_Comm_spawn(command, argv, maxprocs, info, root, comm, intercomm, array_of_errcodes);
        });
    });
}

int comm_spawn_multiple(Call& call, int count, char* array_of_commands[], char** array_of_argv[],
                        const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, MPI_Comm comm,
                        MPI_Comm* intercomm, int array_of_errcodes[]) noexcept {
    return reach_others(call, comm, root, Collective::comm_spawn_multiple, [&] {
        return start_processes(call, comm, [&] {
            return PMPI_Comm_spawn_multiple(count, array_of_commands, array_of_argv, array_of_maxprocs, array_of_info,
                                            root, comm, intercomm, array_of_errcodes);
        });
    });
}

int open_port(Call& call, MPI_Info info, char* port_name) noexcept {
    HeldError error;
    const int result = PMPI_Open_port(info, port_name);
    const bool is_fatal = ends_program(MPI_COMM_WORLD) || ends_program(MPI_COMM_SELF) || translation.size != 0;
    if (result != MPI_SUCCESS && is_fatal && is_for_lack_of_means(result)) {
        end_without_processes(call, result);
    }
    return error.hand_over(result);
}

int comm_accept(Call& call, const char* port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm* newcomm) noexcept {
    return reach_others(call, comm, root, Collective::comm_accept, [&] {
        return start_processes(call, comm, [&] { return PMPI_Comm_accept(port_name, info, root, comm, newcomm); });
    });
}

int comm_connect(Call& call, const char* port_name, MPI_Info info, int root, MPI_Comm comm,
                 MPI_Comm* newcomm) noexcept {
    return reach_others(call, comm, root, Collective::comm_connect, [&] {
        return start_processes(call, comm, [&] { return PMPI_Comm_connect(port_name, info, root, comm, newcomm); });
    });
}

}  // namespace dampi::piggyback::distributed::calls
