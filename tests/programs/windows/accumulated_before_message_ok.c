/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Accumulate
 * As accumulated_before_message, but flushed before the message.
 */
#define WRONG 0
#include "accumulated_before_message.h"
