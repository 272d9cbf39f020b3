/* A sweep with all sorts of results: rank 0 receives twice from each of three workers in any order, 3! * 3! = 36
 * outcomes. Depending on the order it leaks a datatype, fails an assertion, or waits for what nobody sends; with the
 * argument "correct" it does none of that. Each run appends one byte to the file that RUNS_FILE names, if any.
 */
#include <mpi.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

enum { WORKERS = 3, ROUNDS = 2 };

static void count_run(void) {
    const char* const name = getenv("RUNS_FILE");
    if (!name) return;
    const int file = open(name, O_WRONLY | O_CREAT | O_APPEND, 0644);
    if (file < 0 || write(file, "x", 1) != 1) abort();
    close(file);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int faulty = argc < 2 || strcmp(argv[1], "correct") != 0;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        count_run();
        int order[ROUNDS][WORKERS];
        for (int round = 0; round < ROUNDS; round++) {
            for (int i = 0; i < WORKERS; i++)
                MPI_Recv(&order[round][i], 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        if (faulty && order[0][0] == 3) {
            MPI_Datatype pair;
            MPI_Type_contiguous(2, MPI_INT, &pair);
        }
        if (faulty && order[0][0] == 2) assert(order[1][0] != 3);
        if (faulty && order[0][0] == 1 && order[1][0] == 2)
            MPI_Recv(&order[0][0], 1, MPI_INT, 1, ROUNDS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        for (int round = 0; round < ROUNDS; round++) MPI_Send(&rank, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
