/* DAMPI-TEST
 *   np: 2
 *   expect: exit
 *   interleavings: 1
 *   outcomes: {}
 *   where: with_own_traps.c:@
 * Rank 1 returns 3, but main cannot be followed: the program has uses of its own for the signal that this takes. So
 * only main is named. Twin: exit_nonzero_ok.
 */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <signal.h>

static volatile sig_atomic_t traps = 0;

static void count(int signal) {
    (void)signal;
    ++traps;
}

int main(void) { /*@*/
    int rank;
    struct sigaction action = {.sa_handler = count};
    sigaction(SIGTRAP, &action, NULL);
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    raise(SIGTRAP);
    MPI_Finalize();
    raise(SIGTRAP);
    assert(traps == 2);
    return rank == 1 ? 3 : 0;
}
