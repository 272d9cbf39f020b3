/* Shared by heard_window and heard_window_ok. */
#include <mpi.h>
#include <stdlib.h>

static volatile int seen;
static int data[10], word;

static void put(MPI_Win window) { MPI_Put(data, 1, MPI_INT, 1, 0, 1, MPI_INT, window); }

/* Rank `from` tells rank `to` something. */
static void tell(int rank, int from, int to) {
    if (rank == from) {
        MPI_Send(&word, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
    } else if (rank == to) {
        MPI_Recv(&word, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(void) {
    int rank, *memory;
    MPI_Win window;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(100 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    memory[0] = 0;

    /* Between fences what rank 2 says is of no use. */
    MPI_Win_fence(0, window);
    tell(rank, 2, 0);
    if (rank == 0) {
        put(window);
    } else if (rank == 1) {
        seen = memory[WRONG ? 0 : 20];
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);

    MPI_Win_lock_all(0, window);
    MPI_Barrier(MPI_COMM_WORLD);
    /* Rank 1 gets to know of the put when it is over, and looks before. */
    if (rank == 0) {
        put(window);
        MPI_Win_flush(1, window);
    } else if (rank == 1 && WRONG) {
        seen = memory[0];
    }
    tell(rank, 0, 1);
    if (rank == 1) {
        seen = memory[0];
    }

    MPI_Barrier(MPI_COMM_WORLD);
    /* It gets to know that the put was begun. */
    if (rank == 0) {
        put(window);
        if (!WRONG) {
            MPI_Win_flush(1, window);
        }
    }
    tell(rank, 0, 1);
    if (rank == 1) {
        memory[0] = 2;
    }
    if (rank == 0) {
        MPI_Win_flush(1, window);
    }

    MPI_Barrier(MPI_COMM_WORLD);
    /* Rank 0 waits until rank 1 has begun to store. */
    if (rank == 1 && !WRONG) {
        memory[0] = 3;
    }
    tell(rank, 1, 2);
    if (rank == 1 && WRONG) {
        memory[0] = 3;
    }
    tell(rank, 2, 0);
    if (rank == 0) {
        put(window);
    }

    MPI_Barrier(MPI_COMM_WORLD);
    /* Nothing tells rank 1 that something is accumulated there. */
    if (rank == 0) {
        MPI_Accumulate(data, 1, MPI_INT, 1, 1, 1, MPI_INT, MPI_SUM, window);
    } else if (rank == 1) {
        seen = memory[WRONG ? 1 : 20];
    }
    MPI_Win_unlock_all(window);

    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&window);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
