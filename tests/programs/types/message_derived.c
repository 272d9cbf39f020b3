/* DAMPI-TEST
 *   np: 2
 *   expect: type/message
 *   interleavings: 1
 *   where: message_derived.c:@
 * The datatypes differ only in the last member of a struct, behind a vector. Twin: message_derived_ok.
 */
#include "message_derived.h"

int main(void) {
    int rank;
    char data[256] = {0};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = make(rank == 0 ? MPI_INT : MPI_FLOAT);
    if (rank == 0) {
        MPI_Recv(data, 2, type, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /*@*/
    } else {
        MPI_Send(data, 2, type, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
