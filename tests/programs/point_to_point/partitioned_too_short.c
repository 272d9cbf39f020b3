/* DAMPI-TEST
 *   np: 2
 *   expect: argument/count
 *   central: refused MPI_Pready_range
 * It asks for more than is sent. Twin: partitioned_amounts_ok.
 */
#define RECEIVED 8
#include "partitioned_amounts.h"
