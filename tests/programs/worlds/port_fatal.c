/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Comm_accept
 *   interleavings: 1
 * MPI has no ports here, and the program's error handler would end it: that is no fault of the program's. Twin:
 * spawn_refused.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
    }
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &made);
    MPI_Finalize();
    return 0;
}
