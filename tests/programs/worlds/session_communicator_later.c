/* DAMPI-TEST
 *   np: 2
 *   expect: argument/communicator, leak/communicator
 *   central: refused MPI_Comm_create_from_group
 *   interleavings: 1
 *   where: session_communicator_later.h:18
 * A communicator is used, and has been forgotten, when its session is finalized. Twin: session_communicator_later_ok.
 */
#define LATER 1
#include "session_communicator_later.h"
