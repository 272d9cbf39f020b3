/* DAMPI-TEST
 *   np: 2
 *   expect: type/message
 *   interleavings: 1
 *   where: message_derived.c:@
 * The datatypes differ only in the last member of a struct, behind a vector. Twin: message_derived_ok.
 */
#include <mpi.h>
#include <stddef.h>

static MPI_Datatype make(MPI_Datatype last) {
    MPI_Datatype vector, whole;
    const int lengths[3] = {1, 1, 1};
    const MPI_Aint places[3] = {0, 8, 64};
    MPI_Datatype parts[3] = {MPI_DOUBLE, MPI_DATATYPE_NULL, last};
    MPI_Type_vector(3, 1, 2, MPI_INT, &vector);
    parts[1] = vector;
    MPI_Type_create_struct(3, lengths, places, parts, &whole);
    MPI_Type_commit(&whole);
    MPI_Type_free(&vector);
    return whole;
}

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
