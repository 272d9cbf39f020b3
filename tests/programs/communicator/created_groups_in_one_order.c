/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 * Where rank 2 comes first only rank 0 knows that the group is with it. Twin: created_groups_in_one_order_ok.
 */
#define WRONG 1
#include "created_groups_in_one_order.h"
