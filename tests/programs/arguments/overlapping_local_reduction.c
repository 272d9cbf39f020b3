/* DAMPI-TEST
 *   np: 1
 *   expect: buffer/overlap
 *   findings: 1
 *   interleavings: 1
 *   where: overlapping_local_reduction.h:7
 * The second number of one buffer is the first one of the other. Twin: overlapping_local_reduction_ok.
 */
#define BEHIND 1
#include "overlapping_local_reduction.h"
