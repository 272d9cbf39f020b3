/* DAMPI-TEST
 *   np: 3
 *   expect: buffer/overlap
 * Two of them overlap by a number. Twin: gathered_blocks_ok.
 */
#define WRONG 1
#include "gathered_blocks.h"
