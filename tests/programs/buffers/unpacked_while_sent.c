/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 *   findings: 1
 *   outcomes: {}
 *   where: packed_while_pending.h:19
 * Twin: packed_while_pending_ok.
 */
#define WRONG 2
#include "packed_while_pending.h"
