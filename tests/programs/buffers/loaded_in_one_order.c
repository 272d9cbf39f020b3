/* DAMPI-TEST
 *   np: 3
 *   expect: buffer/read
 *   options: --check-buffers
 *   where: loaded_in_one_order.h:20
 *   interleavings: 2
 * It is used too early only if the message of rank 2 comes first. Twin: loaded_in_one_order_ok.
 */
#define WRONG 1
#include "loaded_in_one_order.h"
