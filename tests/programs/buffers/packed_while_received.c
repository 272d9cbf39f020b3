/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 *   findings: 1
 *   outcomes: {}
 *   where: packed_while_pending.h:15
 * Twin: packed_while_pending_ok.
 */
#define WRONG 1
#include "packed_while_pending.h"
