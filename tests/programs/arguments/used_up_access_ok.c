/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_File_close
 * Twin of used_up_access and used_up_file_access.
 */
#define NAME "used_up_access_ok.tmp"
#define WRONG 0
#include "used_up_access.h"
