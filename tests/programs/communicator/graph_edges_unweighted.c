/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 * Rank 1 gives its edges no weights, the others do. Twin: graph_edges_ok.
 */
#define WRONG unweighted
#include "graph_edges.h"
