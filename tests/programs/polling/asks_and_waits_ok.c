/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 8
 * Each of three messages is asked for once, and waited for if it has not come: what comes of each answer is explored,
 * whatever the other answers were.
 */
#include "asks_and_waits.h"

int main(void) { return ask_and_wait(4); }
