/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 *   findings: 1
 *   interleavings: 1
 * One store into what two operations send is one finding. Twin: stored_into_two_ok.
 */
#include "stored_into_two.h"

int main(void) { return send_twice(1); }
