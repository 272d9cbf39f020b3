/* DAMPI-TEST
 *   np: 3
 *   expect: abort
 *   interleavings: 3
 *   outcomes: {0#0=0+1} {0#0=0+1~1} {0#0=none~2}
 * MPI_Testall is asked twice, and may say "nothing yet" both times. Twin: testall_then_waits_ok.
 */
#define TRIES 2
#define AT_LAST MPI_Abort(MPI_COMM_WORLD, 3)
#include "testall_some_times.h"
