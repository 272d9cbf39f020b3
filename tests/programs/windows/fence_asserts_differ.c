/* DAMPI-TEST
 *   np: 2
 *   expect: collective/mismatch, incomplete
 *   central: refused MPI_Win_create
 *   where: fence_asserts_differ.c:@
 * One rank says that nothing was accessed before the fence, and that is for all to say. Twin: fence_asserts_differ_ok.
 */
#include "windows.h"

int main(void) {
    begin();
    MPI_Win_fence(rank == 0 ? MPI_MODE_NOPRECEDE : 0, win); /*@*/
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    return finish();
}
