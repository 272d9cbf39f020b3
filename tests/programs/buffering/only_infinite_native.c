/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {0#0<-1}
 *   options: --buffering native
 * The twin of only_infinite: the library lets large messages wait for their receive, and the clocks know it.
 */
#define COUNT 50000
#include "only_infinite.h"
