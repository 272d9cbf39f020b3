/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --engine central
 *   interleavings: 2
 *   outcomes: {1#0=none} {1#0=0}
 * Likewise with the centralized engine, which explores both.
 */
#include "cancel_freed.c"
