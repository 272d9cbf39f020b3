/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * One of them is that of a receive that is pending. Twin: bottom_ok.
 */
#define WRONG 1
#include "bottom.h"
