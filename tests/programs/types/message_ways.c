/* DAMPI-TEST
 *   np: 2
 *   expect: type/message
 *   interleavings: 1
 *   args: 1
 * Each way to send meets one to receive, and the types disagree: the program counts nothing, so each pair of calls is a
 * finding of its own. Twin: message_ways_ok.
 */
#include "message_ways.h"
