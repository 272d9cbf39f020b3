/* Two ranks use every kind of call that communicates, without any choice. */
#include <mpi.h>

int main(int argc, char** argv) {
    int rank, other, out[4] = {1, 2, 3, 4}, in[4], which, flag = 0;
    MPI_Request requests[4];
    MPI_Message message;
    MPI_Comm dup, half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &half);

    MPI_Irecv(&in[0], 1, MPI_INT, other, 1, dup, &requests[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, other, 2, dup, &requests[1]);
    MPI_Isend(&out[0], 1, MPI_INT, other, 1, dup, &requests[2]);
    MPI_Issend(&out[1], 1, MPI_INT, other, 2, dup, &requests[3]);
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);

    MPI_Sendrecv(&out[0], 1, MPI_INT, other, 3, &in[0], 1, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);

    MPI_Send_init(&out[0], 1, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&in[0], 1, MPI_INT, other, 4, MPI_COMM_WORLD, &requests[1]);
    MPI_Startall(2, requests);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);

    if (rank == 0) {
        MPI_Send(&out[0], 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        MPI_Ssend(&out[0], 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
        MPI_Send(&out[0], 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else {
        MPI_Probe(0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&in[0], 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Mprobe(0, 6, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&in[0], 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Irecv(&in[0], 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &requests[0]);
        while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
    }
    MPI_Ibarrier(dup, &requests[0]);
    MPI_Waitany(1, requests, &which, MPI_STATUS_IGNORE);
    MPI_Bcast(out, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(out, in, 4, MPI_INT, MPI_SUM, dup);
    MPI_Comm_free(&half);
    MPI_Comm_free(&dup);
    MPI_Finalize();
    return 0;
}
