/* Gathers as many bytes of each rank as its argument says. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int size;
    const int count = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char* mine = calloc((size_t)count, 1);
    char* all = calloc((size_t)count, (size_t)size);
    MPI_Gather(mine, count, MPI_CHAR, all, count, MPI_CHAR, 0, MPI_COMM_WORLD);
    free(all);
    free(mine);
    MPI_Finalize();
    return 0;
}
