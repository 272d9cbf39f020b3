/* DAMPI-TEST
 *   np: 4
 *   expect: deadlock
 *   findings: 1
 *   options: --buffering all
 *   where: one_deadlock.h:12
 * Two ranks wait for messages of each other's that nobody sends. A third sends to one of them before it ends, and
 * stands in another call with each mode of buffering: that is no other deadlock. Twin: one_deadlock_ok.
 */
#include "one_deadlock.h"

int main(void) { return exchange(1); }
