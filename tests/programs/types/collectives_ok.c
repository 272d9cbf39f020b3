/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   options: --buffering native
 *   args: 0
 * Twin of collectives: all describe them alike.
 */
#include "collectives.h"
