/* DAMPI-TEST
 *   np: 2
 *   expect: truncation
 *   findings: 1
 *   interleavings: 1
 *   where: truncation_waitall.c:@
 * MPI ends the program in MPI_Waitall, which says only that some request has failed: that is no second finding. Twin:
 * truncation_waitall_ok.
 */
#include "truncation_waitall.h"

int main(void) {
    int data[8] = {0};
    MPI_Request requests[2];
    begin(requests, data, 3);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); /*@*/
    MPI_Finalize();
    return 0;
}
