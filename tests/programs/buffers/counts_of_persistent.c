/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 *   interleavings: 1
 *   outcomes: {}
 *   where: counts_of_persistent.h:12
 * Displacements are changed between two starts of a persistent collective, whose own they are until it is freed. Twin:
 * counts_of_persistent_ok.
 */
#define WRONG 1
#include "counts_of_persistent.h"
