/* DAMPI-TEST
 *   np: 2
 *   expect: argument/request
 *   central: refused MPI_File_close
 *   outcomes: {}
 *   where: used_up_access.h:20
 * A second name of the request of an access to a window is waited for after the request has completed. Twin:
 * used_up_access_ok.
 */
#define NAME "used_up_access.tmp"
#define WRONG 1
#include "used_up_access.h"
