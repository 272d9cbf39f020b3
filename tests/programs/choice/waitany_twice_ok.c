/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   options: --buffering native
 * Twin of waitany_twice: the request stands there once, whoever comes first.
 */
#define WRONG 0
#define TESTS 0
#include "one_twice.h"
