/* DAMPI-TEST
 *   np: 2
 *   expect: collective/mismatch
 *   findings: 1
 *   interleavings: 1
 * One rank is in the barrier, the other polls for the end of its nonblocking one, which never comes: the run ends all
 * the same. Twin: barrier_beside_polled_ok.
 */
#define WRONG 1
#include "barrier_beside_polled.h"
