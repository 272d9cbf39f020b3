/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   options: --buffering native
 * Twin of testany_twice.
 */
#define WRONG 0
#define TESTS 1
#include "one_twice.h"
