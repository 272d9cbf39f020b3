/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Twin of truncation_waitall.
 */
#include "truncation_waitall.h"

int main(void) {
    int data[8] = {0};
    MPI_Request requests[2];
    begin(requests, data, 4);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
