/* DAMPI-TEST
 *   np: 4
 *   expect: argument/displacement
 *   where: overflowed_stride.h:18
 * The third row begins beyond what an int can say. Twin: overflowed_stride_ok.
 */
#define STRIDE 1200000000
#include "overflowed_stride.h"
