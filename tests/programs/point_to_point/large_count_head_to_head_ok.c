/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * As many elements, of no size: nothing is waited for.
 */
#include "large_count_head_to_head.h"

int main(void) { return head_to_head(0); }
