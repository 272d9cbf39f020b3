/* DAMPI-TEST
 *   np: 3
 *   expect: crash
 * A client asks one server, polls for the answer each millisecond, and asks the other one when it has polled twenty
 * times in vain. The first one's answer may then be the first to come after all, and is taken for the second one's. A
 * plain run practically never shows it, since the answer comes at once. Twin: impatient_client_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { QUESTION = 1, ANSWER, STOP, PATIENCE = 20 };

static void serve(int rank) {
    for (;;) {
        int question;
        MPI_Status status;
        MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Recv(&question, 1, MPI_INT, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (status.MPI_TAG == STOP) return;
        int answer = 100 * rank + question;
        MPI_Send(&answer, 1, MPI_INT, 0, ANSWER, MPI_COMM_WORLD);
    }
}

static int ask(int question) {
    int server = 1, answer, flag = 0, outstanding = 1;
    MPI_Send(&question, 1, MPI_INT, server, QUESTION, MPI_COMM_WORLD);
    for (int i = 0; !flag && i < PATIENCE; i++) {
        MPI_Iprobe(server, ANSWER, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (!flag) usleep(1000);
    }
    if (!flag) {
        server = 2;
        outstanding = 2;
        MPI_Send(&question, 1, MPI_INT, server, QUESTION, MPI_COMM_WORLD);
    }
    MPI_Status status;
    for (int i = 0; i < outstanding; i++) {
        MPI_Recv(&answer, 1, MPI_INT, MPI_ANY_SOURCE, ANSWER, MPI_COMM_WORLD, &status);
        if (i == 0) assert(answer == 100 * server + question); /*@*/
    }
    return answer;
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int none = 0;
        printf("the answer is %d\n", ask(7));
        for (int server = 1; server <= 2; server++) MPI_Send(&none, 1, MPI_INT, server, STOP, MPI_COMM_WORLD);
    } else {
        serve(rank);
    }
    MPI_Finalize();
    return 0;
}
