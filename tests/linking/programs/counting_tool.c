/* Another tool at MPI's profiling interface: counts calls, and says in MPI_Finalize what it has counted in all ranks.
 * Built as a library (preloaded or linked) and into a program; with -DBY_DLSYM it finds the next function itself. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <dlfcn.h>

static int
    counts[5]; /* sends, receives, barriers, waits, tests for MPI_Comm_rank: the last has no wrapper everywhere */

#ifdef BY_DLSYM
#define NEXT(function) ((__typeof__(&P##function))dlsym(RTLD_NEXT, #function))
#else
#define NEXT(function) P##function
#endif

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm comm) {
    counts[0]++;
    return NEXT(MPI_Send)(buffer, count, type, destination, tag, comm);
}

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status) {
    counts[1]++;
    return NEXT(MPI_Recv)(buffer, count, type, source, tag, comm, status);
}

int MPI_Barrier(MPI_Comm comm) {
    counts[2]++;
    return NEXT(MPI_Barrier)(comm);
}

int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
    counts[3]++;
    return NEXT(MPI_Waitall)(count, requests, statuses);
}

int MPI_Comm_rank(MPI_Comm comm, int* rank) {
    counts[4]++;
    return NEXT(MPI_Comm_rank)(comm, rank);
}

int MPI_Finalize(void) {
    int sums[5];
    int rank;
    PMPI_Reduce(counts, sums, 5, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        printf("tool: %d sends, %d receives, %d barriers, %d waits, %d ranks\n", sums[0], sums[1], sums[2], sums[3],
               sums[4]);
        fflush(stdout);
    }
    return NEXT(MPI_Finalize)();
}
