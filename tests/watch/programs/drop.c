/* Preloaded: on SIGUSR2 the next message that this rank sends is lost. For MPICH and its kin. */
#include <mpi.h>
#include <signal.h>

static volatile sig_atomic_t drops;

static void drop(int number) {
    (void)number;
    drops = 1;
}

__attribute__((constructor)) static void begin(void) { signal(SIGUSR2, drop); }

static int takes(int dest) {
    const int now = drops && dest >= 0;
    if (now) drops = 0;
    return now;
}

int MPI_Send(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm) {
    return takes(dest) ? MPI_SUCCESS : PMPI_Send(buf, count, type, dest, tag, comm);
}

int MPI_Isend(const void* buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request* request) {
    if (takes(dest)) {
        *request = MPI_REQUEST_NULL;
        return MPI_SUCCESS;
    }
    return PMPI_Isend(buf, count, type, dest, tag, comm, request);
}
