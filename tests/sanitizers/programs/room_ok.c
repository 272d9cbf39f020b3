/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1=none 1#0=none 2#0=none} {0#0<-2 0#1=none 1#0=none 2#0=none}
 * Buffers that are just as large as they must be: of blocks with gaps, persistent, on the stack and gone after the
 * wait, of collectives where only the root has one, in place, and memory that the program has poisoned itself. Twin of
 * room.
 */
#include <mpi.h>
#include <sanitizer/asan_interface.h>
#include <stdlib.h>

static int get_from(int source) {
    int value = 0;
    MPI_Request request;
    MPI_Irecv(&value, 1, MPI_INT, source, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return value;
}

int main(void) {
    int rank, got;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Status status;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        got += get_from(3 - status.MPI_SOURCE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }

    /* two blocks of one, three apart: four elements, of which the last has no gap behind it */
    MPI_Datatype blocks, spread;
    MPI_Request request;
    MPI_Type_vector(2, 1, 3, MPI_INT, &blocks);
    MPI_Type_create_resized(blocks, 0, 7 * sizeof(int), &spread);
    MPI_Type_commit(&spread);
    int* parts = calloc(7 + 4, sizeof(int));
    const int next = (rank + 1) % 3, before = (rank + 2) % 3;
    MPI_Recv_init(parts, 2, spread, before, 1, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 2; ++i) {
        int sent[4] = {1, 2, 3, 4};
        MPI_Start(&request);
        MPI_Send(sent, 4, MPI_INT, next, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    free(parts);
    MPI_Type_free(&blocks);
    MPI_Type_free(&spread);

    int* all = rank == 0 ? malloc(3 * sizeof(int)) : NULL;
    MPI_Igather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    free(all);
    MPI_Allreduce(MPI_IN_PLACE, &got, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);

    char* mine = calloc(16, 1);
    __asan_poison_memory_region(mine, 16);
    MPI_Irecv(mine, 16, MPI_CHAR, before, 2, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    __asan_unpoison_memory_region(mine, 16);
    free(mine);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
