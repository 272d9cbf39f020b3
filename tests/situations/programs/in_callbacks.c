/* clang-format off */
/* Ranks that hang in what MPI calls: an operator (the other rank waits for it), and something deleted by MPI_Finalize.
 * np: 3
 * SITUATION 0: MPI_Reduce() at main; libc < combine < main
 * SITUATION 1: MPI_Recv(count 1, datatype MPI_INT, source 0, tag 0, comm MPI_COMM_WORLD) at main; main
 * SITUATION 2: outside MPI after MPI_Comm_free at main; libc < delete_it < main
 */
/* clang-format on */
#include <mpi.h>
#include <unistd.h>

static void combine(void* in, void* inout, int* length, MPI_Datatype* datatype) {
    (void)in;
    (void)inout;
    (void)length;
    (void)datatype;
    for (;;) {
        pause();
    }
}

static int delete_it(MPI_Comm comm, int keyval, void* value, void* extra) {
    (void)comm;
    (void)keyval;
    (void)value;
    (void)extra;
    for (;;) {
        pause();
    }
    return MPI_SUCCESS;
}

int main(int argc, char** argv) {
    int rank, value = 1, sum = 0;
    MPI_Comm pair;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2, 0, &pair);
    if (rank == 2) {
        int keyval;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_it, &keyval, NULL);
        MPI_Comm_set_attr(pair, keyval, NULL);
        MPI_Comm_free(&pair);
    } else {
        MPI_Op op;
        MPI_Op_create(combine, 1, &op);
        MPI_Reduce(&value, &sum, 1, MPI_INT, op, 0, pair);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
