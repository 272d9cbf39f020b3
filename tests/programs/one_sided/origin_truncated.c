/* DAMPI-TEST
 *   np: 2
 *   expect: truncation
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * Two numbers are put where there is to be one. Twin: origin_buffers_ok.
 */
#define WRONG 3
#include "origin_buffers.h"
