/* DAMPI-TEST
 *   np: 2
 *   expect: argument/operator
 *   findings: 1
 *   interleavings: 1
 *   where: failed_assertion.h:8
 * MPICH, which does not look at the operator, ends the ranks by an assertion: that is no finding besides. Twin:
 * failed_assertion_ok.
 */
#include "failed_assertion.h"

int main(void) {
    combine(MPI_LAND);
    return 0;
}
