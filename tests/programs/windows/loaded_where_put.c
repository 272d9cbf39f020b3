/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   where: loaded_where_put.h:8
 *   central: refused MPI_Put
 *   interleavings: 1
 * A rank reads in its window where another one puts between the same fences. Twin: loaded_where_put_ok.
 */
#define WRONG 1
#include "loaded_where_put.h"
