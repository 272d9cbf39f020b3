/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 * Rank 1 names an edge to rank 2 once, rank 2 twice. Twin: graph_edges_ok.
 */
#define WRONG missing
#include "graph_edges.h"
