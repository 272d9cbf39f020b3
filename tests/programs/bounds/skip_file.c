/* DAMPI-TEST
 *   np: 3
 *   expect: incomplete
 *   options: --skip two_rounds.h
 *   interleavings: 1
 * Two rounds, all in this file.
 */
#include "two_rounds.h"
