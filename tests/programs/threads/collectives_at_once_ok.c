/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Init_thread
 * The twin of collectives_at_once: the threads are in collectives at the same time, each on a communicator of its own,
 * and then one after the other on the same one.
 */
#define WRONG 0
#include "collectives_at_once.h"
