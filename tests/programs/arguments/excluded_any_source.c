/* DAMPI-TEST
 *   np: 2
 *   expect: argument/rank
 *   interleavings: 1
 *   where: excluded_wildcards.h:17
 * A wildcard that a hint of the communicator excludes. Twin: excluded_wildcards_ok.
 */
#define SOURCE MPI_ANY_SOURCE
#define TAG 0
#include "excluded_wildcards.h"
