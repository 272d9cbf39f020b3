/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 * Twin of mismatch_polled.
 */
#include "mismatch_polled.h"

int main(void) { return collectives(0); }
