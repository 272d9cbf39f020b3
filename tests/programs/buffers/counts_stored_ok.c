/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Twin of counts_stored: they are changed afterwards.
 */
#define WRONG 0
#include "counts_stored.h"
