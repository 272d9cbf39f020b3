/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * The twin of put_from_what_is_exposed: the rank waits first, or passes on what nobody puts.
 */
#define WRONG 0
#include "put_from_what_is_exposed.h"
