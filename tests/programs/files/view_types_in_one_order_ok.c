/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   central: refused MPI_File_close
 * Twin of view_types_in_one_order: it fits, whoever comes first.
 */
#define WRONG 0
#define FILE_NAME "view_types_in_one_order_ok.tmp"
#include "view_types.h"
