/* DAMPI-TEST
 *   np: 2
 *   expect: argument/value
 *   where: short_statuses.h:20
 * The array of statuses is too short, and what MPI would write behind it are the requests. Twin: short_statuses_ok.
 */
#define ROOM 1
#include "short_statuses.h"
