/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   options: --buffering infinite
 * The twin of bcast_before_send: there the root goes on.
 */
#include "bcast_before_send.c"
