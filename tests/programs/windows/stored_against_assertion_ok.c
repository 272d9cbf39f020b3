/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Put
 *   interleavings: 1
 * The twin of stored_against_assertion and stored_before_post: what is stored before a call that synchronises is no
 * matter.
 */
#define WRONG 0
#include "stored_against_assertion.h"
