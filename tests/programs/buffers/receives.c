/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * The last number of the one buffer is the first of the other. Twin: receives_ok.
 */
#define WRONG 1
#include "receives.h"
