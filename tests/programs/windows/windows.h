/* What the programs of this folder have in common: a window of eight numbers in each rank. MPI's errors come back. */
#include <mpi.h>
#include <stddef.h>

static int rank, size, values[8] = {1, 2, 3, 4, 5, 6, 7, 8}, results[8];
static _Alignas(16) int memory[8];
static MPI_Win win;

static inline void begin(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
}

static inline int finish(void) {
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}

/* The group of one other rank of the world. */
static inline MPI_Group group_of(int member) {
    MPI_Group all, one;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &member, &one);
    MPI_Group_free(&all);
    return one;
}

/* Two ranks wait for each other. */
static inline void meet(int peer) {
    MPI_Sendrecv(&rank, 1, MPI_INT, peer, 9, results + 7, 1, MPI_INT, peer, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
