/* DAMPI-TEST
 *   np: 2
 *   expect: sanitizer/thread
 *   interleavings: 1
 *   central: refused MPI_Get
 *   where: pending_access.h:18
 * What is put into a window is changed before the fence. Twin: pending_access_ok.
 */
#define WRONG 1
#include "pending_access.h"
