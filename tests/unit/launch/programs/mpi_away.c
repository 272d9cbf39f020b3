/* Rank 0 puts, gets and accumulates in the windows of rank 1, which is not in MPI for a fifth of a second. Exits with 1
 * where something has come to its memory meanwhile. */
#include <mpi.h>

static int given[64], fetched[64];

static int comes_to(MPI_Win window, const volatile int* memory, int rank) {
    int has_come = 0;
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Put(given, 16, MPI_INT, 1, 0, 16, MPI_INT, window);
        MPI_Accumulate(given, 16, MPI_INT, 1, 16, 16, MPI_INT, MPI_SUM, window);
        MPI_Get_accumulate(given, 16, MPI_INT, fetched, 16, MPI_INT, 1, 32, 16, MPI_INT, MPI_REPLACE, window);
        MPI_Win_flush(1, window);
    } else {
        for (const double begin = MPI_Wtime(); MPI_Wtime() < begin + 0.2;) {
            for (int i = 0; i < 48; ++i) has_come |= memory[i] != 0;
        }
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return has_come;
}

int main(int argc, char** argv) {
    static int memory[64];
    int rank, has_come, *allocated;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 64; ++i) given[i] = 7;
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    has_come = comes_to(window, memory, rank);
    MPI_Win_allocate(sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &allocated, &window);
    for (int i = 0; i < 64; ++i) allocated[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    has_come |= comes_to(window, allocated, rank);
    MPI_Finalize();
    return has_come;
}
