/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * MPI_Finalize deletes the attributes of MPI_COMM_SELF, and what is called then may communicate.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int rank;

static int exchange(MPI_Comm comm, int keyval, void* value, void* state) {
    (void)comm, (void)keyval, (void)value, (void)state;
    int received = -1, sum = 0;
    MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 0, &received, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    assert(received == 1 - rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    assert(sum == 1);
    return MPI_SUCCESS;
}

int main(int argc, char** argv) {
    int keyval;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, exchange, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    MPI_Comm_free_keyval(&keyval);
    MPI_Finalize();
    return 0;
}
