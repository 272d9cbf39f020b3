/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 * Rank 1 gives an edge to rank 2 another weight than rank 2. Twin: graph_edges_ok.
 */
#define WRONG weights
#include "graph_edges.h"
