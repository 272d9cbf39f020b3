/* Numbers are sent, and their memory is freed and taken anew; with WAITS_FIRST 1 behind the end of the send. */
#include <mpi.h>
#include <stdlib.h>

enum { NUMBERS = 500 };

static MPI_Request request = MPI_REQUEST_NULL;

static void* send_some(void) {
    int* numbers = calloc(NUMBERS, sizeof(int));
    void* behind = malloc(NUMBERS); /* so that the freed memory stays a part of its own */
    for (int i = 0; i < NUMBERS; ++i) numbers[i] = i;
    MPI_Isend(numbers, NUMBERS, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    if (WAITS_FIRST) MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(numbers);
    return behind;
}

int main(int argc, char** argv) {
    static int numbers[NUMBERS];
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        void* behind = send_some();
        int* others = malloc(NUMBERS * sizeof(int));
        for (int i = 0; i < NUMBERS; ++i) others[i] = 0;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        free(others);
        free(behind);
    } else {
        MPI_Recv(numbers, NUMBERS, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
