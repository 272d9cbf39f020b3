/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/read
 *   where: loaded_from_received.h:17
 * As loaded_from_received, but one run alone looks for it. Twin: loaded_from_received_in_one_run_ok.
 */
#define WRONG 1
#include "loaded_from_received.h"
