/* DAMPI-TEST
 *   np: 2
 *   expect: abort
 *   findings: 1
 *   interleavings: 2
 * As scratch_ok, but a round leaves something behind that is in the way afterwards.
 */
#include "scratch.h"

int main(void) { return poll_with_scratch(0, 1); }
