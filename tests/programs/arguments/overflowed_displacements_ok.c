/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 * Twin of overflowed_displacements: all of them fit.
 */
#define NUMBERS (1 << 29)
#include "overflowed_displacements.h"
