/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 *   where: stored_into_large_sent.h:17
 * As stored_into_large_sent, but one run alone looks for it. Twin: stored_into_large_sent_in_one_run_ok.
 */
#define WRONG 1
#include "stored_into_large_sent.h"
