/* A partitioned transfer in three rounds, whose partitions are used as they arrive; with WRONG one of them is used too
 * early in the second round. */
#include <mpi.h>

enum { partitions = 3 };
static int numbers[partitions];
static volatile int sum;

static void await(int partition, MPI_Request request) {
    int arrived = 0;
    while (!arrived) {
        MPI_Parrived(request, partition, &arrived);
    }
}

static void use(int partition) {
    /* what the other rank has sent */
    sum += numbers[partition];
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    if (rank == 0) {
        MPI_Psend_init(numbers, partitions, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    } else {
        MPI_Precv_init(numbers, partitions, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    }
    for (int round = 0; round < 3; ++round) {
        MPI_Start(&request);
        if (rank == 0) {
            MPI_Pready_range(0, partitions - 1, request);
        } else {
            await(1, request);
            use(1);
            if (!WRONG || round != 1) {
                await(0, request);
            }
            use(0);
            MPI_Send(&numbers[1], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        use(2);
        numbers[2] = round;
    }
    MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
