/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   interleavings: 1
 *   outcomes: {}
 *   options: --buffering native
 * Both ranks send a large message before they receive: the library lets so large a message wait for its receive.
 */
#include "head_to_head_large.h"
