/* DAMPI-TEST
 *   np: 2
 *   expect: abort
 *   findings: 1
 *   interleavings: 2
 * As scratch_ok, but what is worked with is needed afterwards: without a round it is not there.
 */
#include "scratch.h"

int main(void) { return poll_with_scratch(1, 0); }
