/* DAMPI-TEST
 *   np: 2
 *   expect: deadlock
 *   interleavings: 1
 *   outcomes: {}
 * A program that got MPI_THREAD_MULTIPLE and whose other thread has only computed, and ended: a deadlock is found like
 * in any other.
 */
#define RECEIVES_FIRST 2
#include "one_caller_ok.c"
