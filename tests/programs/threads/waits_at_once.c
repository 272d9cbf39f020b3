/* DAMPI-TEST
 *   np: 2
 *   expect: thread/request, incomplete
 *   central: refused MPI_Init_thread
 * Two threads wait for the same request at the same time. Twin: waits_at_once_ok.
 */
#define WRONG 1
#include "waits_at_once.h"
