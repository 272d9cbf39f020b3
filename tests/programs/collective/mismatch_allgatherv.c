/* DAMPI-TEST
 *   np: 2
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   options: --buffering native
 * Rank 1 counts on more numbers than come. Twin: allgatherv_ok.
 */
#define WRONG 1
#include "allgatherv.h"
