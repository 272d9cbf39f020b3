/* Two rounds, one of them by a function of its own on a communicator that is called "log". */
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
