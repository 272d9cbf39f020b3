/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * MPI makes the room for MPI_Bsend itself: there is always enough, also before anything is received.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    static char sent[100000], got[100000];
    int rank, size = 0;
    void* detached;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(MPI_BUFFER_AUTOMATIC, 0);
    for (int i = 0; i < 3; i++) {
        MPI_Bsend(sent, sizeof sent, MPI_CHAR, 1 - rank, i, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 3; i++) {
        MPI_Recv(got, sizeof got, MPI_CHAR, 1 - rank, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Buffer_detach(&detached, &size);
    assert(detached == MPI_BUFFER_AUTOMATIC);
    MPI_Finalize();
    return 0;
}
