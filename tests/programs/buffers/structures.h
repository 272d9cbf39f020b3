/* Members of the structures of an array are received at the same time. With WRONG 1 it is wrong. */
#include <mpi.h>
#include <stddef.h>

struct item {
    char kind;
    double value;
};

/* One member of each structure. */
static MPI_Datatype member(size_t offset, MPI_Datatype of) {
    int length = 1;
    MPI_Aint displacement = (MPI_Aint)offset;
    MPI_Datatype inner, type;
    MPI_Type_create_struct(1, &length, &displacement, &of, &inner);
    MPI_Type_create_resized(inner, 0, sizeof(struct item), &type);
    MPI_Type_free(&inner);
    MPI_Type_commit(&type);
    return type;
}

int main(int argc, char** argv) {
    enum { items = 1000 };
    static struct item all[items];
    MPI_Request requests[2];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype value = member(offsetof(struct item, value), MPI_DOUBLE);
    MPI_Datatype kind =
        WRONG ? member(offsetof(struct item, value) + 7, MPI_CHAR) : member(offsetof(struct item, kind), MPI_CHAR);
    if (rank == 0) {
        MPI_Irecv(all, items, value, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(all, items, kind, 1, 1, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(all, items, value, 0, 0, MPI_COMM_WORLD);
        MPI_Send(all, items, kind, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Type_free(&value);
    MPI_Type_free(&kind);
    MPI_Finalize();
    return 0;
}
