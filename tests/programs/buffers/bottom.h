/* Buffers are given by a datatype with absolute addresses. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    static double table[64];
    double other = 0;
    MPI_Datatype absolute;
    int lengths[2] = {1, 4};
    MPI_Aint addresses[2];
    MPI_Datatype types[2] = {MPI_DOUBLE, MPI_DOUBLE};
    MPI_Get_address(&table[1], &addresses[0]);
    MPI_Get_address(&table[30], &addresses[1]);
    MPI_Type_create_struct(2, lengths, addresses, types, &absolute);
    MPI_Type_commit(&absolute);
    if (rank == 0) {
        MPI_Request requests[3];
        MPI_Irecv(&table[WRONG ? 33 : 34], 2, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Irecv(&other, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &requests[1]);
        MPI_Irecv(MPI_BOTTOM, 1, absolute, 1, 1, MPI_COMM_WORLD, &requests[2]);
        MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(table, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        MPI_Send(table, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        MPI_Send(MPI_BOTTOM, 1, absolute, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Type_free(&absolute);
    MPI_Finalize();
    return 0;
}
