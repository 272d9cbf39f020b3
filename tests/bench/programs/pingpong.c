/* Ping-pong of 2 ranks with blocking calls: the time of one way for messages of 8 B to 4 MiB. */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

struct Ball {
    int rank, size;
    char* buffer;
};

static void round_trip(void* context) {
    const struct Ball* ball = context;
    if (ball->rank == 0) {
        MPI_Send(ball->buffer, ball->size, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(ball->buffer, ball->size, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(ball->buffer, ball->size, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(ball->buffer, ball->size, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    static const int sizes[] = {8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 1 << 20, 4 << 20};
    MPI_Init(&argc, &argv);
    spread_out();
    struct Ball ball = {0, 0, malloc(4 << 20)};
    memset(ball.buffer, 1, 4 << 20);
    MPI_Comm_rank(MPI_COMM_WORLD, &ball.rank);
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char name[40];
        snprintf(name, sizeof name, "pingpong/%d", sizes[i]);
        ball.size = sizes[i];
        measure(name, round_trip, &ball, 0.5);
    }
    free(ball.buffer);
    MPI_Finalize();
    return 0;
}
