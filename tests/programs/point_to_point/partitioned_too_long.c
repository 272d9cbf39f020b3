/* DAMPI-TEST
 *   np: 2
 *   expect: truncation
 *   central: refused MPI_Pready_range
 * It has not the room for what is sent. Twin: partitioned_amounts_ok.
 */
#define RECEIVED 2
#include "partitioned_amounts.h"
