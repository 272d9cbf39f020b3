/* A number is added up while the ranks go on. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int numbers[4] = {rank, rank, rank, rank};
    int sum;
    int flag = 0;
    MPI_Request request;
    MPI_Iallreduce(numbers, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    if (WRONG) numbers[0] = -1;
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    numbers[0] = -1;
    MPI_Ireduce_scatter_block(MPI_IN_PLACE, numbers, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Iallreduce(MPI_IN_PLACE, numbers, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
