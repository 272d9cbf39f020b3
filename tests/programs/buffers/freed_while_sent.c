/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 *   findings: 1
 *   options: --check-buffers
 *   where: freed_while_sent.h:15
 * What becomes of memory that was freed while it is sent comes of that: the heap's lists in it, and who takes it anew.
 * Twin: freed_while_sent_ok.
 */
#define WAITS_FIRST 0
#include "freed_while_sent.h"
