/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0<-1 2#0<-1}
 *   lamport-misses: {0#0<-1 2#0<-0}
 *   options: --clock lamport
 * The same with Lamport clocks: the message carries the clock of rank 0's own wildcard, which looks as if it came after
 * that of rank 2, so the alternative, and with it the failed assertion, is not seen.
 */
#include "unrelated_epochs.c"
