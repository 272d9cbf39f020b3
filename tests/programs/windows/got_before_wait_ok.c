/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Put
 * As got_before_wait, but the request is complete before: that is known, though the lock is held.
 */
#define WRONG 0
#include "got_before_wait.h"
