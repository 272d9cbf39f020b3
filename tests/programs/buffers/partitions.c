/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 *   central: refused MPI_Pready
 * One is received after it was made ready. Twin: partitions_ok.
 */
#define WRONG 1
#include "partitions.h"
