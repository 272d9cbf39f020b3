/* DAMPI-TEST
 *   np: 4
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: made_alike.h:20
 * Rank 1 gives MPI_Graph_create another reorder. Twin: made_alike_ok.
 */
#define WRONG graph_reorder
#include "made_alike.h"
