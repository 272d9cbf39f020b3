/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of exchanged_blocks: it has not, and blocks without data lie anywhere; MPI_IN_PLACE has none to send.
 */
#define WRONG 0
#include "exchanged_blocks.h"
