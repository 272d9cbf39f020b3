/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 6
 * The same, after the receive. Twin of each_run.
 */
#define WRONG 0
#include "each_run.h"
