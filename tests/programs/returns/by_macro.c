/* DAMPI-TEST
 *   np: 2
 *   expect: exit
 *   interleavings: 1
 *   outcomes: {}
 *   where: by_macro.c:@
 * The `return` is in a macro: the line is that of its use. Twin: exit_nonzero_ok.
 */
#include <mpi.h>
#include <stdio.h>

#define CHECK(holds)                       \
    do {                                   \
        if (!(holds)) {                    \
            puts(#holds " does not hold"); \
            return 1;                      \
        }                                  \
    } while (0)

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    CHECK(rank >= 0);
    CHECK(rank != 1); /*@*/
    CHECK(rank < 2);
    return 0;
}
