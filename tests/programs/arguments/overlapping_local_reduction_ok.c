/* DAMPI-TEST
 *   np: 1
 *   expect: clean
 */
#define BEHIND 2
#include "overlapping_local_reduction.h"
