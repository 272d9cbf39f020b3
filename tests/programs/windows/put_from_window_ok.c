/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 * Twin of put_from_window: it is put beside it.
 */
#define WRONG 0
#include "put_from_window.h"
