/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * The twin of lock_between_fences: a fence ends the access first.
 */
#define WRONG 0
#include "lock_between_fences.h"
