/* DAMPI-TEST
 *   np: 3
 *   expect: argument/displacement
 *   where: overflowed_displacements.h:20
 * The displacement of the third block is negative. Twin: overflowed_displacements_ok.
 */
#define NUMBERS (1 << 30)
#include "overflowed_displacements.h"
