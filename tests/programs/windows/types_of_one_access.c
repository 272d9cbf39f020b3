/* DAMPI-TEST
 *   np: 2
 *   expect: type/message
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 *   where: types_of_one_access.h:12
 * What is put are other numbers than the call says for the target. Twin: types_of_one_access_ok.
 */
#define WRONG 1
#include "types_of_one_access.h"
