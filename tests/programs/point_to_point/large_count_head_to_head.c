/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   interleavings: 1
 * Two GiB and eight bytes in each direction do not fit into any buffer of the library's.
 */
#include "large_count_head_to_head.h"

int main(void) { return head_to_head(1); }
