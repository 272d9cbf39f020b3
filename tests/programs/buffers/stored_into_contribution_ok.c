/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of stored_into_contribution: it is changed when MPI_Test has said that the sum is there; and a result that
 * lies in its place is MPI's.
 */
#define WRONG 0
#include "stored_into_contribution.h"
