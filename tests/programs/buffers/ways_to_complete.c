/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 *   options: --explore-polls 0
 * Once it is sent before. Twin: ways_to_complete_ok.
 */
#define WRONG 1
#include "ways_to_complete.h"
