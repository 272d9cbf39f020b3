/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: put_from_window.h:8
 * What is being put from a window is put into it. Twin: put_from_window_ok.
 */
#define WRONG 1
#include "put_from_window.h"
