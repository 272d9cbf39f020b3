/* Shared by own_window and own_window_ok. */
#include <mpi.h>
#include <stdlib.h>

static volatile int seen;
static int data[100];

static void put(MPI_Win window) { MPI_Put(data, 10, MPI_INT, 1, 5, 10, MPI_INT, window); }

int main(void) {
    int rank, *memory, word = 0, peer;
    MPI_Win window;
    MPI_Group all, other;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(100 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    for (int i = 0; i < 100; ++i) {
        memory[i] = 0;
    }
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    peer = 1 - rank;
    MPI_Group_incl(all, 1, &peer, &other);

    MPI_Win_fence(0, window);
    if (rank == 0) {
        put(window);
    } else {
        seen = memory[WRONG ? 7 : 20];
        memory[4] = memory[15];
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
    memory[7] = 1;

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_start(other, 0, window);
        put(window);
        MPI_Win_complete(window);
    } else {
        MPI_Win_post(other, 0, window);
        memory[WRONG ? 8 : 20] = 1;
        MPI_Win_wait(window);
        seen = memory[8];
    }

    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
        put(window);
        MPI_Win_unlock(1, window);
    } else {
        seen = memory[WRONG ? 9 : 20];
    }
    MPI_Barrier(MPI_COMM_WORLD);
    seen = memory[9];

    /* What messages order is no fault: before the access, and behind it. */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
        put(window);
        MPI_Win_unlock(1, window);
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        memory[7] = 2;
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        seen = memory[8];
    }
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Group_free(&other);
    MPI_Group_free(&all);
    MPI_Win_free(&window);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
