/* What message_derived and its twin have in common. */
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
