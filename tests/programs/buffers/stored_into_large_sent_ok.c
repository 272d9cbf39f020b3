/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --check-buffers
 * Twin of stored_into_large_sent: it is set afterwards; meanwhile they are only read.
 */
#define WRONG 0
#include "stored_into_large_sent.h"
