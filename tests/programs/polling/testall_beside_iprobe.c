/* DAMPI-TEST
 *   np: 3
 *   expect: abort
 *   interleavings: 2
 *   outcomes: {0#0=0+1} {0#0@1<-2}
 * Of two calls that are asked in turn either may answer first. The program is wrong where that is MPI_Testall. Twin:
 * testall_beside_iprobe_ok.
 */
#define WRONG 1
#include "testall_beside_iprobe.h"
