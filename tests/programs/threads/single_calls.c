/* DAMPI-TEST
 *   np: 3
 *   expect: thread/level
 *   interleavings: 2
 *   where: single_calls_ok.c:15
 * A thread beside the main one asks MPI for its rank, though MPI_Init was called, which lets one thread call; only if
 * the message of rank 2 comes first.
 */
#define ASKS_ITSELF 0
#include "single_calls_ok.c"
