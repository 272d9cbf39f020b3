/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   interleavings: 1
 *   outcomes: {}
 *   options: --buffering zero
 * Both ranks send a large message before they receive: under zero buffering it deadlocks, as it does natively.
 */
#include "head_to_head_large.h"
