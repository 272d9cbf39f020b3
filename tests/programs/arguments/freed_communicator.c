/* DAMPI-TEST
 *   np: 2
 *   expect: argument/communicator
 *   interleavings: 1
 *   outcomes: {}
 *   where: freed_communicator_ok.c:27
 * A copy of a communicator's handle is used after the communicator was freed.
 */
#define USES_LATE 1
#include "freed_communicator_ok.c"
