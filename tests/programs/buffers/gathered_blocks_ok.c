/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 * Twin of gathered_blocks: they do not, in any order, and one without data lies anywhere.
 */
#define WRONG 0
#include "gathered_blocks.h"
