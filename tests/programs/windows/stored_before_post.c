/* DAMPI-TEST
 *   np: 2
 *   expect: argument/assertion
 *   central: refused MPI_Put
 *   interleavings: 1
 *   where: stored_against_assertion.h:16
 * A post says that nothing was stored, after a store. Twin: stored_against_assertion_ok.
 */
#define WRONG 2
#include "stored_against_assertion.h"
