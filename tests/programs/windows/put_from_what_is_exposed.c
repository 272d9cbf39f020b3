/* DAMPI-TEST
 *   np: 3
 *   expect: rma/race
 *   central: refused MPI_Put
 *   interleavings: 1
 *   outcomes: {}
 *   where: put_from_what_is_exposed.h:10
 * A rank passes on from its window what another one may still put there: before MPI_Win_wait it cannot know. Twin:
 * put_from_what_is_exposed_ok.
 */
#define WRONG 1
#include "put_from_what_is_exposed.h"
