/* DAMPI-TEST
 *   np: 2
 *   options: --virtual-time
 *   expect: clean
 *   interleavings: 1
 * Virtual dates are the same in each run: they begin with the year 2020, and a rank that sleeps before MPI_Init or
 * after MPI_Finalize waits for nobody, but its time has passed.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <time.h>
#include <sys/time.h>
#include <unistd.h>

int main(void) {
    const time_t begin = 1577836800;
    struct timespec now;
    assert(time(NULL) == begin);
    assert(sleep(1000) == 0);
    assert(time(NULL) == begin + 1000);
    MPI_Init(NULL, NULL);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec == begin + 1000 && now.tv_nsec > 0);
    const double measured = MPI_Wtime();
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert((double)now.tv_sec + 1e-9 * (double)now.tv_nsec > measured);
    assert((double)now.tv_sec + 1e-9 * (double)now.tv_nsec < measured + 0.001);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    assert(usleep(5000000) == 0);
    assert(time(NULL) == begin + 1005);
    return 0;
}
