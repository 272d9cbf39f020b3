/* DAMPI-TEST
 *   np: 3
 *   expect: type/collective
 *   interleavings: 1
 *   outcomes: {}
 *   options: --buffering native
 * Rank 1 describes its data as other numbers of as many bytes. Twin: varying_counts_ok.
 */
#define WRONG 1
#include "varying_counts.h"
