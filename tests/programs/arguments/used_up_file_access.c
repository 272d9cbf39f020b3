/* DAMPI-TEST
 *   np: 2
 *   expect: argument/request
 *   central: refused MPI_File_close
 *   outcomes: {}
 *   where: used_up_access.h:32
 * A second name of the request of an access to a file is waited for after the request has completed. Twin:
 * used_up_access_ok.
 */
#define NAME "used_up_file_access.tmp"
#define WRONG 2
#include "used_up_access.h"
