/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 * As received_across_fences, and right.
 */
#define WRONG 0
#include "received_across_fences.h"
