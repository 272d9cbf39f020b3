/* A partitioned transfer, whose partitions are filled and passed on one after the other. With WRONG 1 one is changed
 * after it was made ready. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    enum { partitions = 3, length = 2 };
    int numbers[partitions * length] = {0};
    MPI_Request request;
    if (rank == 0) {
        MPI_Psend_init(numbers, partitions, length, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    } else {
        MPI_Precv_init(numbers, partitions, length, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    }
    for (int round = 0; round < 2; ++round) {
        MPI_Start(&request);
        if (rank == 0) {
            numbers[0] = round;
            MPI_Pready(0, request);
            numbers[WRONG && round == 1 ? 1 : 2] = round + 1;
            MPI_Pready_range(1, 2, request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE); /*@*/
        numbers[5] = 7;
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
