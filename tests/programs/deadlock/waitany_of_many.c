/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   interleavings: 1
 * Rank 0 waits for any of forty receives that nobody sends to, and rank 1 for rank 0. Twin: waitany_of_many_ok.
 */
#include <mpi.h>
#include <stddef.h>

enum { many = 40 };

int main(void) {
    int rank, index, value = 0, values[many];
    MPI_Request requests[many];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < many; ++i) {
            MPI_Irecv(&values[i], 1, MPI_INT, 1 + i % 2, i, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitany(many, requests, &index, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
