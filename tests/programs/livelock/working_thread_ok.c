/* DAMPI-TEST
 *   np: 2
 *   options: --livelock-limit 1
 *   expect: incomplete
 *   interleavings: 1
 * Rank 0 polls, to keep MPI going, while another thread of it computes and then sleeps for longer than the limit; then
 * it sends what rank 1 waits for. The thread does not call MPI. Twin: sleeping_thread.
 */
#include <mpi.h>
#include <stdatomic.h>
#include <time.h>
#include <pthread.h>
#include <unistd.h>

static atomic_int done;

static void* work(void* none) {
    const time_t begin = time(NULL);
    while (time(NULL) < begin + 2) {}
    sleep(2);
    atomic_store(&done, 1);
    return none;
}

int main(int argc, char** argv) {
    int provided, rank, value = 0, flag = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, NULL);
        while (!atomic_load(&done)) {
            MPI_Iprobe(1, 7, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        pthread_join(thread, NULL);
        MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
