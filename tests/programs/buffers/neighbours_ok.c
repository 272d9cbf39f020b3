/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 * Twin of neighbours: it is received into the block of the neighbour that is not there.
 */
#define WRONG 0
#include "neighbours.h"
