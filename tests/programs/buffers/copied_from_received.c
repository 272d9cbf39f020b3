/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/read
 *   options: --check-buffers
 *   where: copied_from_received.h:20
 * They are copied before they have come. Twin: copied_from_received_ok.
 */
#define WRONG 1
#include "copied_from_received.h"
