/* DAMPI-TEST
 *   np: 2
 *   expect: leak/request
 *   central: refused MPI_Raccumulate
 *   interleavings: 1
 *   outcomes: {}
 *   where: request_left.h:9
 * The end of its epoch completes an access with a request, and does not free the request. Twin: request_left_ok.
 */
#define WRONG 1
#include "request_left.h"
