/* DAMPI-TEST
 *   np: 3
 *   expect: collective/mismatch
 *   findings: 1
 *   interleavings: 1
 * The ranks enter nonblocking collectives in different orders, and poll for their end: that they never stop is no
 * second finding. Twin: mismatch_polled_ok.
 */
#include "mismatch_polled.h"

int main(void) { return collectives(1); }
