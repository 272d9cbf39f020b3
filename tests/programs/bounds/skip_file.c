/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   options: --skip skip_file.c
 *   interleavings: 1
 * Two rounds, all in this file.
 */
#include "rounds.h"

static MPI_Comm log_comm;

static void log_everything(void) { one_round(log_comm); }

int main(void) {
    begin();
    MPI_Comm_dup(MPI_COMM_WORLD, &log_comm);
    MPI_Comm_set_name(log_comm, "log");
    one_round(MPI_COMM_WORLD);
    log_everything();
    MPI_Comm_free(&log_comm);
    MPI_Finalize();
    return 0;
}
