/* DAMPI-TEST
 *   np: 3
 *   expect: hang
 *   findings: 1
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * A thread waits for a condition of which nobody tells it where rank 2 comes first, and the main thread for that
 * thread. Twin: never_notified_ok.
 */
#define NOTIFIED(first, second) (first) < (second)
#include "never_notified.hpp"
