/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * A buffer for MPI_Bsend sized to the byte as the standard says: nothing that travels along may need room in it.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int data[5] = {1, 2, 3, 4, 5}, size = 0, got_size = 0;
    char* got = NULL;
    MPI_Pack_size(5, MPI_INT, MPI_COMM_WORLD, &size);
    const int room = 2 * (size + MPI_BSEND_OVERHEAD);
    if (rank == 0) {
        char* buffer = malloc(room);
        MPI_Request h;
        MPI_Buffer_attach(buffer, room);
        MPI_Bsend(data, 5, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Ibsend(data, 5, MPI_INT, 1, 1, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        data[0] = 99; /* both messages have been copied */
        MPI_Buffer_detach(&got, &got_size);
        assert(got == buffer && got_size == room);
        free(buffer);
    } else {
        MPI_Recv(data, 5, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(data[0] == 1 && data[4] == 5);
        MPI_Recv(data, 5, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(data[0] == 1 && data[4] == 5);
    }
    MPI_Finalize();
    return 0;
}
