/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   central: refused MPI_Put
 * It uses other bytes until the accesses are over. Twin: own_window.
 */
#define WRONG 0
#include "own_window.h"
