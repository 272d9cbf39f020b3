/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Init_thread
 * The twin of ended_threads: the message for the last one comes as well.
 */
#define UNSENT 0
#include "ended_threads.c"
