/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * What an access to a window fills is sent before it is there. Twin: origin_buffers_ok.
 */
#define WRONG 1
#include "origin_buffers.h"
