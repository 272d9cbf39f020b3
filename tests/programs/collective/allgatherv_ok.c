/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 *   options: --buffering native
 * Twin of mismatch_allgatherv: it counts on as many as come.
 */
#define WRONG 0
#include "allgatherv.h"
