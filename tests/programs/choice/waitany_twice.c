/* DAMPI-TEST
 *   np: 3
 *   expect: argument/request
 *   interleavings: 3
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1 0#2=0} {0#0<-2 0#1<-1 0#2=1}
 *   options: --buffering native
 * Only where rank 2 comes first does MPI_Waitany get a request twice: MPI completes one of the two and leaves the other
 * handle behind. Twin: waitany_twice_ok.
 */
#define WRONG 1
#define TESTS 0
#include "one_twice.h"
