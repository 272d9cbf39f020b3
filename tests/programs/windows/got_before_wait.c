/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   where: got_before_wait.h:11
 * A message of who reads, before it knows that it has, does not order what is put there then. Twin: got_before_wait_ok.
 */
#define WRONG 1
#include "got_before_wait.h"
