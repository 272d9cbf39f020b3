/* Reads its input, as it were, before it calls MPI for the first time. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char** argv) {
    sleep(8);
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    sleep(2);
    MPI_Finalize();
    return 0;
}
