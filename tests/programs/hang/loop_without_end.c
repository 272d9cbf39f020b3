/* DAMPI-TEST
 *   np: 3
 *   expect: hang
 *   where: loop_without_end.h:7
 * Rank 0 waits for a flag that nobody sets; nobody has to say how long a rank may be away. Twin:
 * loop_without_end_ok.
 */
#define WRONG 1
#include "loop_without_end.h"
