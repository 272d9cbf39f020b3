/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Duplicates are used once they are made, also while others are being made whose requests have the handles of earlier
 * ones. Twin of unmade_communicator.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_Comm twins[4], other;
    MPI_Request requests[4];
    int flag = 0;
    MPI_Init(NULL, NULL);
    for (int i = 0; i < 4; i++) {
        MPI_Comm_idup(i == 0 ? MPI_COMM_WORLD : twins[i - 1], &twins[i], &requests[i]);
        if (i > 1) MPI_Barrier(twins[i - 2]);
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        MPI_Barrier(twins[i]);
    }
    for (int i = 0; i < 4; i++) MPI_Comm_free(&twins[i]);
    MPI_Comm_idup(MPI_COMM_WORLD, &twins[0], &requests[0]);
    MPI_Comm_idup(MPI_COMM_WORLD, &twins[1], &requests[1]);
    MPI_Comm_dup(MPI_COMM_SELF, &other);
    MPI_Barrier(other);
    MPI_Barrier(MPI_COMM_WORLD);
    while (!flag) MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
    MPI_Barrier(twins[1]);
    MPI_Comm_free(&other);
    MPI_Comm_free(&twins[0]);
    MPI_Comm_idup(MPI_COMM_SELF, &twins[0], &requests[0]);
    MPI_Waitall(1, requests, MPI_STATUSES_IGNORE);
    MPI_Barrier(twins[0]);
    MPI_Comm_free(&twins[0]);
    MPI_Comm_free(&twins[1]);
    MPI_Finalize();
    return 0;
}
