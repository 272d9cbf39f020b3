/* Rank 0 gives ranks 1 and 2 the same work, takes the answer that comes first, and lets both end. The receive of the
 * other answer it waits for if it is `patient`, else it is cancelled. */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { work, answer, end };

static int compete(int patient) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
        int given = 0, result;
        MPI_Recv(&given, 1, MPI_INT, 0, work, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        result = given * given;
        MPI_Send(&result, 1, MPI_INT, 0, answer, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_INT, 0, end, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        const int given = 6;
        int results[2] = {0}, first = 0, done = 0;
        MPI_Request requests[2];
        for (int i = 0; i < 2; i++) {
            MPI_Send(&given, 1, MPI_INT, i + 1, work, MPI_COMM_WORLD);
            MPI_Irecv(&results[i], 1, MPI_INT, i + 1, answer, MPI_COMM_WORLD, &requests[i]);
        }
        MPI_Waitany(2, requests, &first, MPI_STATUS_IGNORE);
        assert(results[first] == 36);
        if (!patient) {
            MPI_Test(&requests[1 - first], &done, MPI_STATUS_IGNORE);
            if (!done) MPI_Cancel(&requests[1 - first]);
        }
        MPI_Wait(&requests[1 - first], MPI_STATUS_IGNORE);
        for (int i = 0; i < 2; i++) MPI_Send(NULL, 0, MPI_INT, i + 1, end, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
