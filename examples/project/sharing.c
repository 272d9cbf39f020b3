/* A master hands out pieces of work and adds up the results. It ends when it has handed out all pieces and got as many
 * results as there are; but it believes that the last result comes from the rank that got the last piece. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { PIECE = 1, RESULT, NO_MORE = -1 };

static void give(int piece, int worker) { MPI_Send(&piece, 1, MPI_INT, worker, PIECE, MPI_COMM_WORLD); }

static void share_out(int pieces, int workers) {
    int next = 0, last = 0, sum = 0;
    for (int worker = 1; worker <= workers && next < pieces; worker++) {
        last = worker;
        give(next++, worker);
    }
    for (int got = 0; got < pieces; got++) {
        int result, source = MPI_ANY_SOURCE;
        MPI_Status status;
#ifndef MENDED
        if (got == pieces - 1) source = last;
#endif
        MPI_Recv(&result, 1, MPI_INT, source, RESULT, MPI_COMM_WORLD, &status);
        sum += result;
        if (next < pieces) {
            last = status.MPI_SOURCE;
            give(next++, last);
        }
    }
    for (int worker = 1; worker <= workers; worker++) give(NO_MORE, worker);
    printf("the sum is %d\n", sum);
}

static void work(void) {
    for (;;) {
        int piece;
        MPI_Recv(&piece, 1, MPI_INT, 0, PIECE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (piece == NO_MORE) return;
        int result = piece * piece;
        MPI_Send(&result, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        share_out(argc > 1 ? atoi(argv[1]) : 4, size - 1);
    } else {
        work();
    }
    MPI_Finalize();
    return 0;
}
