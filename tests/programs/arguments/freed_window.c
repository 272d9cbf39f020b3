/* DAMPI-TEST
 *   np: 2
 *   expect: argument/window
 *   central: refused MPI_Win_allocate
 *   interleavings: 1
 *   outcomes: {}
 *   where: freed_window_ok.c:32
 * A copy of a window's handle is used after the window was freed.
 */
#define USES_LATE 1
#include "freed_window_ok.c"
