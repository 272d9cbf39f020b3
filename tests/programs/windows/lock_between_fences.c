/* DAMPI-TEST
 *   np: 3
 *   expect: argument/synchronization
 *   central: refused MPI_Get
 *   interleavings: 1
 *   outcomes: {}
 *   where: lock_between_fences.h:6
 * A rank locks memory that another one has accessed since the last fence. Twin: lock_between_fences_ok.
 */
#define WRONG 1
#include "lock_between_fences.h"
