/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 * Twin of graph_edges_missing and its kin: all ranks name the same edges, in whatever order.
 */
#define WRONG right
#include "graph_edges.h"
