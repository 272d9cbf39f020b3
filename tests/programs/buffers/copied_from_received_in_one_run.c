/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/read
 *   where: copied_from_received.h:20
 * As copied_from_received, but one run alone looks for it. Twin: copied_from_received_in_one_run_ok.
 */
#define WRONG 1
#include "copied_from_received.h"
