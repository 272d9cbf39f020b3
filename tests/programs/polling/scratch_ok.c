/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0=0} {0#0=0~1}
 * What is worked with between two questions is set by the first round, and by each other one to the same: it matters
 * whether there was one, and not how many.
 */
#include "scratch.h"

int main(void) { return poll_with_scratch(0, 0); }
