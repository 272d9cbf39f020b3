/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * What comes from both ranks has a number in common. Twin: exchanged_blocks_ok.
 */
#define WRONG 1
#include "exchanged_blocks.h"
