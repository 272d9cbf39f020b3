/* DAMPI-TEST
 *   np: 2
 *   expect: argument/ready
 *   interleavings: 1
 * Ready sends, empty, small and large, whose receives are posted when the messages are there. That is the program's
 * fault, but MPICH makes standard sends of them, and so no library may do worse.
 */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

enum { SIZES = 3, LAST = 9 };
static const int sizes[SIZES] = {0, 1, 100000};

int main(void) {
    int rank, i, value = 0;
    MPI_Request request;
    MPI_Status status;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < 2 * SIZES; ++i) {
        const int count = sizes[i / 2];
        int* data = calloc((size_t)count + 1, sizeof *data);
        data[count] = -1;
        if (rank == 0) {
            if (count > 0) data[0] = i + 1;
            MPI_Irsend(data, count, MPI_INT, 1, i, MPI_COMM_WORLD, &request);
            MPI_Send(&value, 1, MPI_INT, 1, LAST, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        } else {
            int got = -1;
            MPI_Recv(&value, 1, MPI_INT, 0, LAST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (i % 2 == 0) {
                MPI_Recv(data, count, MPI_INT, 0, i, MPI_COMM_WORLD, &status);
            } else {
                MPI_Irecv(data, count, MPI_INT, 0, i, MPI_COMM_WORLD, &request);
                MPI_Wait(&request, &status);
            }
            MPI_Get_count(&status, MPI_INT, &got);
            assert(got == count && data[count] == -1);
            assert(count == 0 || data[0] == i + 1);
        }
        free(data);
    }
    MPI_Finalize();
    return 0;
}
