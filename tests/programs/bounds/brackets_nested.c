/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   interleavings: 4
 * Only the first and the last round are outside the outer bracket; the inner ones change nothing.
 */
#include "rounds.h"

int main(void) {
    begin();
    one_round(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    MPI_Pcontrol(9);
    one_round(MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    MPI_Pcontrol(1);
    one_round(MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    one_round(MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    one_round(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
