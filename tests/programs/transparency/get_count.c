/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Receives longer than the message: count, source and tag must be those of the program, with and without wildcards
 * in the tag.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, count = -1, error;
    MPI_Status status;
    if (rank == 0) {
        MPI_Send(data, 3, MPI_INT, 1, 41, MPI_COMM_WORLD);
        MPI_Send(data, 5, MPI_BYTE, 1, 42, MPI_COMM_WORLD);
    } else {
        for (int i = 0; i < 8; i++) data[i] = -9;
        MPI_Recv(data, 8, MPI_INT, 0, 41, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        assert(count == 3 && data[2] == 3 && data[3] == -9);
        MPI_Get_elements(&status, MPI_INT, &count);
        assert(count == 3 && status.MPI_SOURCE == 0 && status.MPI_TAG == 41);
        MPI_Recv(data, 8, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        assert(count == 5 && status.MPI_TAG == 42);
        error = MPI_Get_count(&status, MPI_INT, &count); /* five bytes are no whole number of ints */
        assert(error == MPI_SUCCESS && count == MPI_UNDEFINED && data[2] == 3);
    }
    MPI_Finalize();
    return 0;
}
