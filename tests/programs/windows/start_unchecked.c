/* DAMPI-TEST
 *   np: 2
 *   expect: argument/assertion
 *   central: refused MPI_Win_complete
 *   interleavings: 1
 *   where: unchecked_by_one.h:9
 * MPI_MODE_NOCHECK in MPI_Win_start alone. Twin: unchecked_by_both_ok.
 */
#define START MPI_MODE_NOCHECK
#define POST 0
#include "unchecked_by_one.h"
