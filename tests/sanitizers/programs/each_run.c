/* DAMPI-TEST
 *   np: 4
 *   expect: sanitizer/thread
 *   interleavings: 6
 *   where: each_run.h:15
 * In each run ThreadSanitizer looks for the lines of a conflict: what it calls there of the layer's must not make it
 * wait for itself. Twin: each_run_ok.
 */
#define WRONG 1
#include "each_run.h"
