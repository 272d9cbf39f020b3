/* A buffer is used again after each of the calls that complete its receive. With WRONG 1 it is wrong. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int number = 0;
    enum { rounds = 7 };
    for (int i = 0; i < rounds; i++) {
        if (rank == 1) {
            MPI_Recv(&number, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            continue;
        }
        MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        int flag = 0;
        int index, indices[2], count;
        int go = 0;
        MPI_Irecv(&number, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
        if (WRONG && i == 0) {
            MPI_Send(&number, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        } else {
            MPI_Send(&go, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        }
        switch (i) {
            case 0:
                while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
                break;
            case 1:
                while (!flag) MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
                break;
            case 2:
                while (!flag) MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
                break;
            case 3:
                do MPI_Testsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
                while (count == 0);
                break;
            case 4:
                MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
                break;
            case 5:
                MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
                break;
            default:
                while (!flag) MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
        }
        MPI_Send(&number, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
        MPI_Sendrecv(&go, 1, MPI_INT, 0, 2, &number, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i == 6) MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    }
    /* A send whose request is freed: the answer tells that its buffer is free. */
    if (rank == 0) {
        MPI_Request request;
        MPI_Isend(&number, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(&number, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&number, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&number, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
