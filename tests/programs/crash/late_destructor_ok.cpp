/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * The destructor of a global asks what may be asked when MPI is over, and does no more then. Twin of late_destructor.
 */
#include <mpi.h>

static bool is_over() {
    int over = 0;
    MPI_Finalized(&over);
    return over != 0;
}

#define MAY_CALL (!is_over())
#include "late_destructor.hpp"
