/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --check-buffers
 * It waits first.
 */
#define WAITS_FIRST 1
#include "freed_while_sent.h"
