/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of columns: each byte is of one column only, though all lie within each other's bounds.
 */
#define WRONG 0
#include "columns.h"
