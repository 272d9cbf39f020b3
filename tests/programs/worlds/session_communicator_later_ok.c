/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Comm_create_from_group
 *   interleavings: 1
 * The twin of session_communicator_later.
 */
#define LATER 0
#include "session_communicator_later.h"
