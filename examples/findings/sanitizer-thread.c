/* dampi-run -n 1; mpicc.mpich -fsanitize=thread */
#include <mpi.h>
#include <pthread.h>

static int total;
static void* count(void* none) {
    total += 1;
    return none;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
#ifndef MENDED
    total += 1;
#endif
    pthread_join(thread, NULL);
#ifdef MENDED
    total += 1;
#endif
    MPI_Finalize();
    return 0;
}
