/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --check-buffers
 * Twin of copied_from_received: they are copied afterwards.
 */
#define WRONG 0
#include "copied_from_received.h"
