/* DAMPI-TEST
 *   np: 4
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: made_alike.h:16
 * Rank 1 gives MPI_Cart_create another reorder. Twin: made_alike_ok.
 */
#define WRONG grid_reorder
#include "made_alike.h"
