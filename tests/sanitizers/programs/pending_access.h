/* Shared by pending_access and pending_access_ok. */
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    int rank, got[200], *memory;
    static int data[200];
    MPI_Win window;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof data, sizeof data[0], MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) {
        MPI_Put(data, 100, MPI_INT, 1, 0, 100, MPI_INT, window);
        MPI_Get(got, 100, MPI_INT, 1, 100, 100, MPI_INT, window);
        data[120] = 1; /* not of what is put */
        if (WRONG) {
            data[20] = 1;
        }
    }
    MPI_Win_fence(0, window);
    data[20] = 2;
    if (rank == 0) {
        data[0] = got[50];
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
