/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of repeating_type: it is only sent with, and received as plain numbers.
 */
#define WRONG 0
#include "repeating_type.h"
