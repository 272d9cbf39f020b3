/* DAMPI-TEST
 *   np: 3
 *   expect: argument/displacement
 *   where: overflowed_in_one_order.h:27
 *   interleavings: 2
 * Only if the message of rank 2 comes first there is too much. Twin: overflowed_in_one_order_ok.
 */
#define LARGE 2
#include "overflowed_in_one_order.h"
