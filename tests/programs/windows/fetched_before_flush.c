/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   central: refused MPI_Fetch_and_op
 *   where: fetched_before_flush.h:7
 * A barrier does not complete an atomic access, which the memory's owner then loads. Twin: fetched_before_flush_ok.
 */
#define WRONG 1
#include "fetched_before_flush.h"
