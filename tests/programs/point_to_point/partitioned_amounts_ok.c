/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Pready_range
 * It asks for as much as is sent. Twin of partitioned_too_long and partitioned_too_short.
 */
#define RECEIVED 4
#include "partitioned_amounts.h"
