/* Rank 1 waits in each part of a run, as many milliseconds as the arguments say: before MPI_Init, before MPI_Finalize,
 * and after it; a fourth argument lets it end without MPI_Finalize. */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
    int rank;
    const int slow = atoi(getenv("PMI_RANK")) == 1;
    if (slow) usleep(1000 * atoi(argv[1]));
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (slow) usleep(1000 * atoi(argv[2]));
    if (slow && argc > 4) _exit(3);
    MPI_Finalize();
    if (slow) usleep(1000 * atoi(argv[3]));
    return 0;
}
