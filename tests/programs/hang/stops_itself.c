/* DAMPI-TEST
 *   np: 3
 *   expect: hang, incomplete
 *   options: --hang-limit 3
 *   interleavings: 2
 *   outcomes: {0#0<-1} {0#0<-2}
 * Rank 0 stops itself by a signal when rank 2 comes first, and nobody lets it go on: it runs no more, and the time that
 * it has had does not grow. Twin: stops_itself_ok.
 */
#include "stops_itself.h"

int main(void) { return run(0); }
