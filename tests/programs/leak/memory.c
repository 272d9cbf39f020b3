/* DAMPI-TEST
 *   np: 2
 *   expect: leak/memory
 *   where: memory.c:@
 * Memory of MPI_Alloc_mem is never freed. Twin: memory_ok.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    int* values;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Alloc_mem(2 * sizeof(int), MPI_INFO_NULL, &values); /*@*/
    values[0] = rank;
    MPI_Allreduce(&values[0], &values[1], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
