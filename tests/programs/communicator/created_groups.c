/* DAMPI-TEST
 *   np: 5
 *   expect: collective/mismatch
 *   interleavings: 1
 *   outcomes: {}
 *   where: created_groups.h:18
 * Ranks 1 and 3 name each other in different orders. Twin: created_groups_ok.
 */
#define WRONG 3
#include "created_groups.h"
