/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/overlap
 * It is received into the result of the reduction. Twin: collective_pending_ok.
 */
#define WRONG 1
#include "collective_pending.h"
