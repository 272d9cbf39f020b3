/* DAMPI-TEST
 *   np: 2
 *   expect: thread/collective, incomplete
 *   central: refused MPI_Init_thread
 *   where: collectives_at_once.h:14
 * Two threads of each rank are in collectives on the same communicator at the same time. Twin: collectives_at_once_ok.
 */
#define WRONG 1
#include "collectives_at_once.h"
