/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Comm_spawn
 *   interleavings: 1
 * MPI cannot start processes here, and the program's error handler would end it: that is no fault of the program's, and
 * the run ends at the call, though the other rank would compute for ever. Twin: spawn_refused.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Comm made = MPI_COMM_NULL;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (volatile int goes_on = rank; goes_on;) {}
    MPI_Comm_spawn("./nowhere", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &made, MPI_ERRCODES_IGNORE);
    MPI_Finalize();
    return 0;
}
