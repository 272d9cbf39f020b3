/* DAMPI-TEST
 *   np: 3
 *   expect: argument/datatype
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   where: view_types.h:19
 *   central: refused MPI_File_close
 * Only where rank 2 comes first does what is written not fit the file's view. Twin: view_types_in_one_order_ok.
 */
#define WRONG 1
#define FILE_NAME "view_types_in_one_order.tmp"
#include "view_types.h"
