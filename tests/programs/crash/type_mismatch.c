/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Figure 2.10: four bytes are sent and one int is received. It works on machines of one byte order, and type
 * signatures are not compared, so the verdict is clean. Twin: type_mismatch_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int data = 5;
        MPI_Send(&data, 4, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        int data = 0, count = 0;
        MPI_Status status;
        MPI_Recv(&data, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        assert(data == 5 && count == 1);
    }
    MPI_Finalize();
    return 0;
}
