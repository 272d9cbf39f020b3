/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Pready
 * Twin of partitions: each is received before it is made ready; one that has arrived may be sent.
 */
#define WRONG 0
#include "partitions.h"
