/* Shared by told_by_memory and told_by_memory_ok. */
#include <mpi.h>
#include <stdlib.h>

static volatile int seen;
static int one = 1, found, word;

/* Until this word of the rank's memory is 1. */
static void poll(int rank, int place, MPI_Win window) {
    do {
        MPI_Fetch_and_op(NULL, &found, MPI_INT, rank, place, MPI_NO_OP, window);
        MPI_Win_flush(rank, window);
    } while (found == 0);
}

int main(void) {
    int rank, *memory;
    MPI_Win window;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(10 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    for (int i = 0; i < 10; ++i) {
        memory[i] = 0;
    }
    MPI_Win_lock_all(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    /* Rank 2 reads that the put is over, and says so to rank 1. */
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush(1, window);
        MPI_Accumulate(&one, 1, MPI_INT, 2, 1, 1, MPI_INT, MPI_REPLACE, window);
    } else if (rank == 2) {
        poll(2, 1, window);
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen = memory[0];
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* Rank 0 reads that rank 1 has stored. */
    if (rank == 1) {
        memory[2] = 3;
        MPI_Accumulate(&one, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_REPLACE, window);
        MPI_Win_flush(0, window);
    } else if (rank == 0) {
        poll(0, 3, window);
        MPI_Put(&one, 1, MPI_INT, 1, 2, 1, MPI_INT, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* Rank 1 sees in its own memory that something was accumulated there, and goes on. */
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 1, 4, 1, MPI_INT, window);
        MPI_Win_flush(1, window);
        MPI_Accumulate(&one, 1, MPI_INT, 1, 5, 1, MPI_INT, MPI_REPLACE, window);
    } else if (rank == 1) {
        poll(1, 5, window);
        seen = memory[4];
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (WRONG) {
        if (rank == 0) {
            MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        } else if (rank == 1) {
            seen = memory[0];
        }
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
