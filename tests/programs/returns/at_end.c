/* DAMPI-TEST
 *   np: 2
 *   expect: exit
 *   interleavings: 1
 *   outcomes: {}
 *   where: at_end.c:@
 * Nobody calls MPI_Finalize, and main comes to its end. Twin: exit_no_finalize_ok.
 */
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
    MPI_Init(NULL, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    puts("the end");
} /*@*/
