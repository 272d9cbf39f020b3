/* Every second number of an array is sent by a persistent request, as a vector. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int numbers[8] = {0};
    MPI_Datatype every_second;
    MPI_Type_vector(4, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    if (rank == 0) {
        MPI_Request request;
        MPI_Send_init(numbers, 1, every_second, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Type_free(&every_second);
        for (int i = 1; i < 3; i++) {
            numbers[4] = i;
            MPI_Start(&request);
            numbers[WRONG ? 4 : 5] = -i;
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&request);
    } else {
        for (int i = 1; i < 3; i++) MPI_Recv(numbers, 1, every_second, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Type_free(&every_second);
    }
    MPI_Finalize();
    return 0;
}
