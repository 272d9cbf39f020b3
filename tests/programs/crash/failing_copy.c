/* DAMPI-TEST
 *   np: 2
 *   expect: abort
 *   findings: 1
 *   interleavings: 1
 *   where: failing_copy.h:20
 * A callback for attributes that fails makes the call fail in which MPI calls it. Twin: failing_copy_ok.
 */
#include "failing_copy.h"

int main(void) {
    duplicate(MPI_ERR_OTHER);
    return 0;
}
