/* DAMPI-TEST
 *   np: 3
 *   expect: exit
 *   findings: 1
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   where: late_destructor.hpp:13
 * The destructor of a global that was there before MPI_Init calls MPI when that is over, where rank 2 comes first. The
 * status with which the MPI library then ends the process is that of a second call of exit(). Twin: late_destructor_ok.
 */
#define MAY_CALL true
#include "late_destructor.hpp"
