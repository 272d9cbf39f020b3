/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   options: --check-buffers
 * Twin of loaded_from_received: it is used afterwards, and meanwhile what lies before and behind those that are
 * received.
 */
#define WRONG 0
#include "loaded_from_received.h"
