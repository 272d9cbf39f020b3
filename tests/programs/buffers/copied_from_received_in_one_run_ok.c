/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of copied_from_received_in_one_run: as copied_from_received_ok.
 */
#define WRONG 0
#include "copied_from_received.h"
