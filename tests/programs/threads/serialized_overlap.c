/* DAMPI-TEST
 *   np: 2
 *   expect: thread/level
 *   where: serialized_overlap_ok.c:36
 * With MPI_THREAD_SERIALIZED one thread asks for its processor's name while another one is blocked in a receive.
 */
#define ONE_AT_A_TIME 0
#include "serialized_overlap_ok.c"
