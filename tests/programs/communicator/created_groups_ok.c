/* DAMPI-TEST
 *   np: 5
 *   expect: clean
 *   interleavings: 1
 * Twin of created_groups: all members of a group name the same one.
 */
#define WRONG 0
#include "created_groups.h"
