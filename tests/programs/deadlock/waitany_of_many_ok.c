/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 * All are sent to. Twin: waitany_of_many.
 */
#include <mpi.h>
#include <stddef.h>

enum { many = 40 };

int main(void) {
    int rank, index, value = 0, values[many];
    MPI_Request requests[many];
    MPI_Status statuses[many];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < many; ++i) {
            MPI_Irecv(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitall(many, requests, statuses);
        index = 0;
    } else if (rank == 1) {
        for (int i = many - 1; i >= 0; --i) {
            MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        }
    }
    MPI_Finalize();
    return 0;
}
