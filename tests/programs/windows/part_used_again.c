/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   central: refused MPI_Get
 * What is put is got before it is there. Twin: part_used_again_ok.
 */
#define WRONG 1
#include "part_used_again.h"
