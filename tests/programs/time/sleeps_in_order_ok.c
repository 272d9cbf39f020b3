/* DAMPI-TEST
 *   np: 4
 *   options: --explore-polls 0
 *   expect: incomplete
 *   interleavings: 1
 * Three ranks sleep for hours, each in another way, and send in the order in which they wake up: when one has sent,
 * none of the later ones has. Incomplete, since rank 0 polls once for each of these. Twin: sleeps_in_another_order.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <time.h>
#include <sys/select.h>
#include <unistd.h>

int main(void) {
    int rank, value = 0, flag = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        const int order[] = {2, 3, 1};
        for (int i = 0; i < 3; i++) {
            MPI_Recv(&value, 1, MPI_INT, order[i], 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int later = i + 1; later < 3; later++) {
                MPI_Iprobe(order[later], 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
                assert(!flag);
            }
        }
    } else {
        if (rank == 1) {
            struct timespec until;
            clock_gettime(CLOCK_MONOTONIC, &until);
            until.tv_sec += 3 * 3600;
            assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
        } else if (rank == 2) {
            assert(sleep(3600) == 0);
        } else {
            struct timeval time = {.tv_sec = 3600, .tv_usec = 0};
            struct timespec more = {.tv_sec = 3599, .tv_nsec = 999999999};
            assert(select(0, NULL, NULL, NULL, &time) == 0);
            assert(nanosleep(&more, NULL) == 0);
        }
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
