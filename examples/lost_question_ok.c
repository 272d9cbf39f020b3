/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * The server takes both questions from anybody. Twin: lost_question.
 */
#include <mpi.h>
#include <stdio.h>

enum { TAG_ASK = 1, TAG_ANSWER = 2 };

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        /* a server that answers one question of each client */
        for (int i = 0; i < 2; i++) {
            int question, answer;
            MPI_Status status;
            MPI_Recv(&question, 1, MPI_INT, MPI_ANY_SOURCE, TAG_ASK, MPI_COMM_WORLD, &status);
            answer = 2 * question;
            MPI_Send(&answer, 1, MPI_INT, status.MPI_SOURCE, TAG_ANSWER, MPI_COMM_WORLD);
        }
    } else {
        int answer;
        MPI_Send(&rank, 1, MPI_INT, 0, TAG_ASK, MPI_COMM_WORLD);
        MPI_Recv(&answer, 1, MPI_INT, 0, TAG_ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("rank %d: the answer is %d\n", rank, answer);
    }
    MPI_Finalize();
    return 0;
}
