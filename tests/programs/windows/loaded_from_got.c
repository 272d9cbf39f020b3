/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/read
 *   where: loaded_from_got.h:9
 *   central: refused MPI_Get
 *   interleavings: 1
 * What a pending MPI_Get fills is read before the fence. Twin: loaded_from_got_ok.
 */
#define WRONG 1
#include "loaded_from_got.h"
