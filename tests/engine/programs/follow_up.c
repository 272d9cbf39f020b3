/* Four ranks; rank 0 takes a task's result from anyone and answers in a way that the argument chooses, then tells all
 * to stop. Every iteration of the loop has an epoch. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { rounds = 4 };

int main(int argc, char** argv) {
    int rank, got, flag;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const char* how = argv[1];
    if (rank == 0) {
        for (int round = 0; round < rounds; round++) {
            for (int worker = 1; worker <= 3; worker++) {
                MPI_Request request;
                if (strcmp(how, "irecv") == 0) {
                    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
                    MPI_Wait(&request, &status);
                } else if (strcmp(how, "probe") == 0) {
                    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
                    MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                } else if (strcmp(how, "poll") == 0) {
                    for (flag = 0; !flag;) MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, &status);
                    MPI_Recv(&got, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                } else {
                    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
                }
                /* another peer each time, though not by the message */
                const int answered = strcmp(how, "in_turn") == 0 ? worker : status.MPI_SOURCE;
                MPI_Send(&round, 1, MPI_INT, answered, 1, MPI_COMM_WORLD);
                if (strcmp(how, "twice") == 0 && worker == 2) {
                    MPI_Send(&round, 1, MPI_INT, answered, 2, MPI_COMM_WORLD);
                }
            }
            if (strcmp(how, "barrier") == 0) MPI_Barrier(MPI_COMM_WORLD);
        }
    } else {
        for (int round = 0; round < rounds; round++) {
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(&got, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (strcmp(how, "barrier") == 0) MPI_Barrier(MPI_COMM_WORLD);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank != 0) { /* whatever "twice" sent */
        for (MPI_Iprobe(0, 2, MPI_COMM_WORLD, &flag, &status); flag; MPI_Iprobe(0, 2, MPI_COMM_WORLD, &flag, &status)) {
            MPI_Recv(&got, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
