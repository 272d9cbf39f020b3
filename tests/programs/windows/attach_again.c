/* DAMPI-TEST
 *   np: 2
 *   expect: argument/base
 *   central: refused MPI_Win_create
 *   interleavings: 1
 *   outcomes: {}
 *   where: attach_again.c:@
 * Memory is attached of which some is attached. Twin: attach_again_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win other;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    MPI_Win_attach(other, values, 4 * sizeof values[0]);
    MPI_Win_attach(other, values + 3, 2 * sizeof values[0]); /*@*/
    MPI_Win_detach(other, values + 3);
    MPI_Win_detach(other, values);
    MPI_Win_free(&other);
    return finish();
}
