/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 *   central: refused MPI_Pready
 * One partition is changed after it was made ready, before the others are. Twin: partition_stored_ok.
 */
#define WRONG 1
#include "partition_stored.h"
