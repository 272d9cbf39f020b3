/* DAMPI-TEST
 *   np: 2
 *   options: --livelock-limit 1
 *   expect: incomplete
 *   central: refused MPI_Init_thread
 * A thread of rank 0 waits in MPI_Recv, and then sleeps for longer than the limit while the main thread polls for its
 * message: that it has waited once must not count.
 */
#include <mpi.h>
#include <stddef.h>
#include <pthread.h>
#include <unistd.h>

static void* receive(void* none) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sleep(3);
    MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    return none;
}

int main(int argc, char** argv) {
    int provided, rank, value = 0, flag = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, receive, NULL);
        usleep(700000); /* until after the thread's wait */
        while (!flag) {
            MPI_Iprobe(0, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Recv(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    } else {
        usleep(300000); /* so that the thread has begun to wait */
        MPI_Send(&value, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
