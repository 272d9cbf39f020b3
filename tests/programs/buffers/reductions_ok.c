/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 * Twin of reductions: they do not, or MPI_IN_PLACE says so; where a rank has no result its buffer means nothing.
 */
#define WRONG 0
#include "reductions.h"
