/* DAMPI-TEST
 *   np: 1
 *   expect: clean
 *   interleavings: 1
 * The twin of hardware_info.c frees what it has been given.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_Info info;
    MPI_Init(NULL, NULL);
    MPI_Get_hw_resource_info(&info);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
