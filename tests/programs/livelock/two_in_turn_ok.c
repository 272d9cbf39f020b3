/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 * The twin of two_in_turn.
 */
#define LATE 0
#include "two_in_turn.h"
