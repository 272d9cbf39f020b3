/* Asks which ranks share a node, so that MPI is left its own shared memory. With a sleep in between, for as many
 * milliseconds as the first argument says. */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char** argv) {
    MPI_Comm node;
    const long milliseconds = argc > 1 ? atol(argv[1]) : 0;
    const struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    nanosleep(&pause, NULL);
    MPI_Barrier(node);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return 0;
}
