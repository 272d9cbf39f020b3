/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 *   options: --buffering infinite
 * Both ranks send a large message before they receive: under infinite buffering it ends.
 */
#include "head_to_head_large.h"
