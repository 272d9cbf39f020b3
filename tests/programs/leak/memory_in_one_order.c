/* DAMPI-TEST
 *   np: 3
 *   expect: leak/memory
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 *   where: memory.h:15
 * Only where rank 2 comes first is memory of MPI_Alloc_mem never freed. Twin: memory_in_one_order_ok.
 */
#define WRONG 1
#include "memory.h"
