/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 *   where: stored_into_accumulated.h:10
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 * What a pending MPI_Accumulate reads is changed before it is flushed. Twin: stored_into_accumulated_ok.
 */
#define WRONG 1
#include "stored_into_accumulated.h"
