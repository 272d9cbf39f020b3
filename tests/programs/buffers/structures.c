/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * Both are given the same member. Twin: structures_ok.
 */
#define WRONG 1
#include "structures.h"
