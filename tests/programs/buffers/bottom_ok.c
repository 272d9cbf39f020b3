/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of bottom: they are others.
 */
#define WRONG 0
#include "bottom.h"
