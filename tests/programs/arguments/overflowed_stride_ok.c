/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 * Twin of overflowed_stride: the last one begins within.
 */
#define STRIDE 700000000
#include "overflowed_stride.h"
