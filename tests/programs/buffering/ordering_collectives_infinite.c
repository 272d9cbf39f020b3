/* DAMPI-TEST
 *   np: 3
 *   expect: deadlock
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 *   options: --buffering infinite
 * The twin of ordering_collectives: rank 2, the root, goes on before rank 0 is there, and its message can be the first.
 */
#include "ordering_collectives.c"
