/* DAMPI-TEST
 *   np: 2
 *   expect: argument/tag
 *   interleavings: 1
 *   where: excluded_wildcards.h:17
 * A wildcard that a hint of the communicator excludes. Twin: excluded_wildcards_ok.
 */
#define SOURCE 1
#define TAG MPI_ANY_TAG
#include "excluded_wildcards.h"
