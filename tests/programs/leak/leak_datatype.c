/* DAMPI-TEST
 *   np: 2
 *   expect: leak/datatype
 *   interleavings: 1
 *   outcomes: {}
 *   where: leak_datatype.c:@
 * A committed datatype that nobody frees. Twin: leak_datatype_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype every_other;
    int bytes;
    MPI_Type_vector(3, 1, 2, MPI_INT, &every_other); /*@*/
    MPI_Type_commit(&every_other);
    MPI_Type_size(every_other, &bytes);
    assert(bytes == 12 && rank < 2);
    MPI_Finalize();
    return 0;
}
