/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 */
#include "failed_assertion.h"

int main(void) {
    combine(MPI_MAX);
    return 0;
}
