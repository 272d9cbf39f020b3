/* clang-format off */
/* A rank that does not end after MPI_Finalize.
 * np: 2
 * SITUATION 0: outside MPI after MPI_Finalize at main; libc < lingering < main
 */
/* clang-format on */
#include <mpi.h>
#include <unistd.h>

__attribute__((noinline)) static int lingering(void) {
    for (;;) {
        pause();
    }
    return 1;
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    return rank == 0 ? lingering() : 0;
}
