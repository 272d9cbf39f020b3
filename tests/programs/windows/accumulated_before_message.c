/* DAMPI-TEST
 *   np: 2
 *   expect: rma/race
 *   central: refused MPI_Accumulate
 *   where: accumulated_before_message.h:9
 * A message does not complete what was accumulated before it. Twin: accumulated_before_message_ok.
 */
#define WRONG 1
#include "accumulated_before_message.h"
