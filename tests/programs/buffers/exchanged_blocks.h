/* Everybody sends a block to everybody, with counts and displacements. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int sent[4] = {0};
    int received[4];
    int counts[2] = {2, 2};
    int places[2] = {0, 2};
    int wrong_places[2] = {1, 2};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    int bytes[2] = {8, 0};
#if WRONG
    MPI_Alltoallv(sent, counts, places, MPI_INT, received, counts, wrong_places, MPI_INT, MPI_COMM_WORLD);
    (void)types;
    (void)bytes;
#else
    MPI_Alltoallv(sent, counts, wrong_places, MPI_INT, received, counts, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallw(sent, counts, bytes, types, received, counts, bytes, types, MPI_COMM_WORLD);
    MPI_Alltoallv(MPI_IN_PLACE, 0, 0, MPI_INT, received, counts, places, MPI_INT, MPI_COMM_WORLD);
    counts[1 - rank] = 0;
    wrong_places[1 - rank] = -1000000;
    MPI_Alltoallv(sent, counts, wrong_places, MPI_INT, received, counts, wrong_places, MPI_INT, MPI_COMM_WORLD);
#endif
    MPI_Finalize();
    return 0;
}
