/* DAMPI-TEST
 *   np: 4
 *   expect: argument/value
 *   findings: 1
 *   interleavings: 1
 *   where: merged_differently.c:@
 * The processes of one group are to say the same of where it comes in the merged communicator, and do not. Twin:
 * merged_differently_ok.
 */
#include "merged_differently.h"

int main(void) {
    begin();
    MPI_Intercomm_merge(joined, rank / 2, &merged); /*@*/
    end();
    return 0;
}
