/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Twin of message_derived: the datatypes are the same.
 */
#include "message_derived.h"

int main(void) {
    int rank;
    char data[256] = {0};
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype type = make(MPI_INT);
    if (rank == 0) {
        MPI_Recv(data, 2, type, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(data, 2, type, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
