/* DAMPI-TEST
 *   np: 3
 *   expect: argument/request
 *   options: --buffering native
 * Likewise with MPI_Testany. Twin: testany_twice_ok.
 */
#define WRONG 1
#define TESTS 1
#include "one_twice.h"
