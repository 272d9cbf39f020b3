/* DAMPI-TEST
 *   np: 4
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: made_alike.h:19
 * Rank 1 keeps columns where the others keep rows. Twin: made_alike_ok.
 */
#define WRONG part_of_grid
#include "made_alike.h"
