/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0=0+1} {0#0=none~1}
 * What MPI_Testall has not seen complete is waited for. All that it could answer is known. Twin: testall_gives_up.
 */
#define TRIES 1
#define AT_LAST MPI_Waitall(2, h, MPI_STATUSES_IGNORE)
#include "testall_some_times.h"
