// The rank that the argument names, or "all" of them, ends well and never calls MPI_Init.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char** argv) {
    const char* rank = getenv("PMI_RANK");
    if (argc > 1 && (strcmp(argv[1], "all") == 0 || (rank != NULL && strcmp(argv[1], rank) == 0))) return 0;
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
