/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * The twin of excluded_any_source and excluded_any_tag.
 */
#define SOURCE 1
#define TAG 0
#include "excluded_wildcards.h"
