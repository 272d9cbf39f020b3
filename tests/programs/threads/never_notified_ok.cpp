/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * The thread is told in any case. Twin of never_notified.
 */
#define NOTIFIED(first, second) (first) != (second)
#include "never_notified.hpp"
