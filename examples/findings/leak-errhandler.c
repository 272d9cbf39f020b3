/* dampi-run -n 2 */
#include <mpi.h>
#include <stdio.h>

static void handle(MPI_Comm* comm, int* code, ...) {
    (void)comm;
    printf("MPI error %d\n", *code);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
#ifdef MENDED
    MPI_Errhandler_free(&handler); /* the communicator keeps it */
#endif
    MPI_Finalize();
    return 0;
}
