/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * The array of statuses lies directly before the requests, and is as long as they need.
 */
#define ROOM MESSAGES
#include "short_statuses.h"
