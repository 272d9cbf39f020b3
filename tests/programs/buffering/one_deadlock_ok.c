/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   options: --buffering all
 * Twin of one_deadlock.
 */
#include "one_deadlock.h"

int main(void) { return exchange(0); }
