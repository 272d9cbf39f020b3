/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of elements: they lie between each other.
 */
#define WRONG 0
#include "elements.h"
