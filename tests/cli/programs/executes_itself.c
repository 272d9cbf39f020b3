/* Executes itself once more before MPI_Init. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
    if (getenv("DAMPI_TEST_SECOND_TIME") == NULL) {
        setenv("DAMPI_TEST_SECOND_TIME", "1", 1);
        execv("/no/such/program", argv);
        execv("/proc/self/exe", argv);
        perror("execv");
        return EXIT_FAILURE;
    }
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
