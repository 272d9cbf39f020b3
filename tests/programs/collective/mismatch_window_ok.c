/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {0#0<-1 0#1<-2 0#2<-1 0#3<-2 0#4<-1}
 * All make windows and open a file in the same order. Nobody goes on before all are there: what is sent afterwards
 * could not have matched a receive before. Twin: mismatch_window.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int rank;

/* A message to rank 0 for its next receive. */
static void message_from(int source) {
    int got = 0;
    if (rank == source) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(got == source);
    }
}

int main(void) {
    void* memory;
    MPI_Win windows[3];
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    message_from(1);
    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &windows[0]);
    message_from(2);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &windows[1]);
    message_from(1);
    MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &windows[2]);
    message_from(2);
    MPI_File_open(MPI_COMM_WORLD, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
    message_from(1);
    MPI_File_close(&file);
    for (int i = 0; i < 3; i++) MPI_Win_free(&windows[i]);
    MPI_Finalize();
    return 0;
}
