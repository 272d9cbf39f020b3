/* DAMPI-TEST
 *   np: 2
 *   expect: thread/level
 *   interleavings: 1
 *   outcomes: {}
 *   where: funneled_calls_ok.c:18
 * With MPI_THREAD_FUNNELED another thread than the one that initialised MPI sends.
 */
#define SENDS_ITSELF 0
#include "funneled_calls_ok.c"
