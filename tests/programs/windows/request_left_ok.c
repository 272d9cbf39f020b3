/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Raccumulate
 *   interleavings: 1
 *   outcomes: {}
 * All requests of accesses are completed. Twin of request_left.
 */
#define WRONG 0
#include "request_left.h"
