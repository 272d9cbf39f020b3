/* DAMPI-TEST
 *   np: 2
 *   expect: abort
 *   findings: 1
 *   interleavings: 8
 * As asks_and_waits_ok, but it goes wrong where no message has come when it was asked for.
 */
#include "asks_and_waits.h"

int main(void) { return ask_and_wait(3); }
