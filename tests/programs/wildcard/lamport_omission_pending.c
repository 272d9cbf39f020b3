/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   outcomes: {2#0<-0 2#1<-1} {2#0<-1 2#1<-0} {2#0<-1 2#1<-1}
 *   lamport-misses: {2#0<-1 2#1<-0}
 *   options: --no-message-leaks --clock lamport
 * The same with Lamport clocks: they order the two matches of rank 2, and if that of MPI_Recv has the lower number,
 * what depends on the other one seems to depend on it.
 */
#include "two_pending.c"
