/* dampi-run -n 2 */
#include <mpi.h>
#include <pthread.h>

static void* call(void* none) {
#ifndef MENDED
    MPI_Barrier(MPI_COMM_SELF); /* MPI_Init lets only one thread call MPI */
#endif
    return none;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    pthread_t thread;
    pthread_create(&thread, NULL, call, NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
