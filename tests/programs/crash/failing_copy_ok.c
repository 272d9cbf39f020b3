/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 */
#include "failing_copy.h"

int main(void) {
    duplicate(MPI_SUCCESS);
    return 0;
}
