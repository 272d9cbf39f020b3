/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * A number is set between two fences, while it is got. Twin: stored_into_origin_ok.
 */
#define WRONG 2
#include "stored_into_origin.h"
