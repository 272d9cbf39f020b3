/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 */
#include "merged_differently.h"

int main(void) {
    begin();
    MPI_Intercomm_merge(joined, rank % 2, &merged);
    end();
    return 0;
}
