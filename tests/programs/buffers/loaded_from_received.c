/* DAMPI-TEST
 *   np: 2
 *   expect: buffer/read
 *   options: --check-buffers
 *   where: loaded_from_received.h:17
 * A number is used before it has come. Twin: loaded_from_received_ok.
 */
#define WRONG 1
#include "loaded_from_received.h"
