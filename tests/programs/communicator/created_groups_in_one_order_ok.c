/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 * Twin of created_groups_in_one_order: it tells the others.
 */
#define WRONG 0
#include "created_groups_in_one_order.h"
