/* DAMPI-TEST
 *   np: 8
 *   expect: incomplete
 *   args: 8
 *   options: --mixing-bound 0
 *   interleavings: 28
 * The number that the definition of bounded mixing says: 1 + the sum over the receives e of their alternatives a_e
 * times the product of 1 + a_(e+i) for i = 1..K.
 */
#include "../../../examples/matmul.c"
