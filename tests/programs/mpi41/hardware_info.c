/* DAMPI-TEST
 *   np: 1
 *   expect: leak/info
 *   interleavings: 1
 *   where: hardware_info.c:@
 * MPI_Get_hw_resource_info makes an info object, which is the caller's.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_Info info;
    MPI_Init(NULL, NULL);
    MPI_Get_hw_resource_info(&info); /*@*/
    MPI_Finalize();
    return 0;
}
