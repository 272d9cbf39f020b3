/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Init_thread
 * The twin of waits_at_once: each thread waits for a request of its own.
 */
#define WRONG 0
#include "waits_at_once.h"
