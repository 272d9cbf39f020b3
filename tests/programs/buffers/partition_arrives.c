/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/read
 *   where: partition_arrives.h:18
 *   central: refused MPI_Parrived
 *   options: --check-buffers
 * A partition is read when another one is known to have arrived. Twin: partition_arrives_ok.
 */
#define WRONG 1
#include "partition_arrives.h"
