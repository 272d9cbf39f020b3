/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Init_thread
 * With MPI_THREAD_FUNNELED another thread makes calls that the standard lets any thread make.
 */
#include <mpi.h>
#include <pthread.h>

static void* call(void* value) {
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_free(&info);
    *(double*)value = MPI_Wtime();
    return NULL;
}

int main(int argc, char** argv) {
    int provided;
    double value;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    pthread_create(&thread, NULL, call, &value);
    pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
