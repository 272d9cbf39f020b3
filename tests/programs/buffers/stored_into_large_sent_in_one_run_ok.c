/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of stored_into_large_sent_in_one_run: as stored_into_large_sent_ok.
 */
#define WRONG 0
#include "stored_into_large_sent.h"
