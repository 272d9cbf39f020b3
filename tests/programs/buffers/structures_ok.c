/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of structures: their bytes lie between each other.
 */
#define WRONG 0
#include "structures.h"
