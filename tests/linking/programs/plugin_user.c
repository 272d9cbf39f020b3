/* The wildcard receives are in a library that is loaded while MPI runs: plugin_user LIBRARY [deepbind] */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <dlfcn.h>

#ifdef PLUGIN
void receive(int count) {
    int number;
    while (count-- > 0) MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
#else
int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        void* library = dlopen(argv[1], RTLD_NOW | (argc > 2 ? RTLD_DEEPBIND : 0));
        void (*receive)(int) = library != NULL ? (void (*)(int))dlsym(library, "receive") : NULL;
        if (receive == NULL) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        receive(size - 1);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
#endif
