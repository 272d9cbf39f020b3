/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   central: refused MPI_Accumulate
 * What it does itself is ordered by messages, from one rank to the other and by way of a third. Twin: heard_window.
 */
#define WRONG 0
#include "heard_window.h"
