/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --explore-polls 0
 * Twin of ways_to_complete: each has said that it is complete; of a send whose request was freed an answer does.
 */
#define WRONG 0
#include "ways_to_complete.h"
