/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Who only measures, and does not poll, is told the real time: what it sees is no multiple of a microsecond's tick.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    MPI_Init(NULL, NULL);
    const double begin = MPI_Wtime();
    const time_t date = time(NULL);
    usleep(20000);
    MPI_Barrier(MPI_COMM_WORLD);
    assert(MPI_Wtime() - begin >= 0.02);
    assert(date > 1700000000); /* virtual dates begin in 2020 */
    MPI_Finalize();
    return 0;
}
