/* DAMPI-TEST
 *   np: 4
 *   expect: collective/mismatch, incomplete
 *   interleavings: 1
 *   outcomes: {}
 *   where: made_alike.h:24
 * Rank 1 gives MPI_Dist_graph_create another info. Twin: made_alike_ok.
 */
#define WRONG edges_info
#include "made_alike.h"
