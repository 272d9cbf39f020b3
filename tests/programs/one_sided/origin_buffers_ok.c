/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * Accesses and messages use the same memory one after the other. Faults: origin_sent, origin_received,
 * origin_truncated.
 */
#define WRONG 0
#include "origin_buffers.h"
