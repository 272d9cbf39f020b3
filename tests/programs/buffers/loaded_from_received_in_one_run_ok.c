/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Twin of loaded_from_received_in_one_run: as loaded_from_received_ok.
 */
#define WRONG 0
#include "loaded_from_received.h"
