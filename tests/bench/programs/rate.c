/* The rate of small messages: rank 0 sends 64 of them by MPI_Isend, rank 1 receives them by MPI_Irecv, both wait for
 * all, and an answer comes back. The time is that of one message. */
#include "measure.h"

enum { OUTSTANDING = 64 };

struct Window {
    int rank;
    char buffers[OUTSTANDING][8];
    char answer;
    MPI_Request requests[OUTSTANDING];
};

static void exchange(void* context) {
    struct Window* window = context;
    for (int i = 0; i < OUTSTANDING; i++) {
        if (window->rank == 0)
            MPI_Isend(window->buffers[i], 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &window->requests[i]);
        else
            MPI_Irecv(window->buffers[i], 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, &window->requests[i]);
    }
    MPI_Waitall(OUTSTANDING, window->requests, MPI_STATUSES_IGNORE);
    if (window->rank == 0)
        MPI_Recv(&window->answer, 1, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Send(&window->answer, 1, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
    static struct Window window;
    MPI_Init(&argc, &argv);
    spread_out();
    MPI_Comm_rank(MPI_COMM_WORLD, &window.rank);
    measure("rate/64-outstanding", exchange, &window, 1.0 / OUTSTANDING);
    MPI_Finalize();
    return 0;
}
