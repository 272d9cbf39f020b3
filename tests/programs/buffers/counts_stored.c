/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 *   interleavings: 1
 *   outcomes: {}
 *   where: counts_stored.h:11
 * Displacements are changed while the collective that was given them is pending. Twin: counts_stored_ok.
 */
#define WRONG 1
#include "counts_stored.h"
