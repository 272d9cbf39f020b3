/* DAMPI-TEST
 *   np: 2
 *   expect: argument/assertion, deadlock
 *   central: refused MPI_Win_complete
 *   interleavings: 1
 *   where: unchecked_by_one.h:9
 * MPI_MODE_NOCHECK in MPI_Win_post alone, for whose word MPICH then waits. Twin: unchecked_by_both_ok.
 */
#define START 0
#define POST MPI_MODE_NOCHECK
#include "unchecked_by_one.h"
