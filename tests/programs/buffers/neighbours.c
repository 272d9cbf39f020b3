/* DAMPI-TEST
 *   np: 3
 *   expect: buffer/overlap
 * The message is received into a neighbour's block. Twin: neighbours_ok.
 */
#define WRONG 1
#include "neighbours.h"
