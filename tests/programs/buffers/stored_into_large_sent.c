/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/modified
 *   options: --check-buffers
 *   where: stored_into_large_sent.h:17
 * One of them is set before they are sent. Twin: stored_into_large_sent_ok.
 */
#define WRONG 1
#include "stored_into_large_sent.h"
