/* DAMPI-TEST
 *   np: 3
 *   expect: sanitizer/thread
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   where: pending_load.h:20
 * With rank 2 first, what a pending receive has not brought yet is read. Twin: pending_load_ok.
 */
#define WRONG 1
#include "pending_load.h"
