/* DAMPI-TEST
 *   np: 2
 *   expect: thread/level
 *   interleavings: 1
 *   where: finalizing_thread_ok.c:16
 * Another thread than the one that initialised MPI finalizes it. The level would allow its other calls.
 */
#define OTHER_FINALIZES 1
#include "finalizing_thread_ok.c"
