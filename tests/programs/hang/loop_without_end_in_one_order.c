/* DAMPI-TEST
 *   np: 3
 *   expect: hang
 *   where: loop_without_end.h:7
 * Nobody sets it where rank 2 comes first. Twin: loop_without_end_ok.
 */
#define WRONG 2
#include "loop_without_end.h"
