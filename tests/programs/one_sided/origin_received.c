/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 * What a pending receive fills is put into a window. Twin: origin_buffers_ok.
 */
#define WRONG 2
#include "origin_buffers.h"
