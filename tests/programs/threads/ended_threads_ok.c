/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 * The twin of ended_threads: the message for the last one comes as well.
 */
#define UNSENT 0
#include "ended_threads.c"
