/* Words are received while others are measured beside them. With WRONG 1 they are copied too early. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTH = 3000 };

int main(int argc, char** argv) {
    int rank;
    size_t length = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char* words = calloc(LENGTH + 5, 1);
    char* copy = calloc(LENGTH, 1);
    strcpy(words, "word");
    if (rank == 0) {
        MPI_Request request;
        MPI_Irecv(words + 5, LENGTH, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
        length = strlen(argc > 5 ? argv[0] : words);
        if (WRONG) memcpy(copy, words + 5, LENGTH - (size_t)argc);
        length += (size_t)copy[argc];
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        memcpy(copy, words + 5, LENGTH);
    } else {
        MPI_Send(words + 5, LENGTH, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    }
    free(copy);
    free(words);
    MPI_Finalize();
    return rank == 1 || length == 4 ? 0 : 1;
}
