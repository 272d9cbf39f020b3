/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   options: --hang-limit 60
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 * The same, but a child of rank 0 lets it go on.
 */
#include "stops_itself.h"

int main(void) { return run(1); }
