/* DAMPI-TEST
 *   np: 3
 *   expect: livelock
 * Each rank asks for a message and for its request in turn, and neither can come. Twin: two_in_turn_ok.
 */
#define LATE 1
#include "two_in_turn.h"
