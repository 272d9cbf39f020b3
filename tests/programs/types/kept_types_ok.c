/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Datatypes that a pending operation keeps: the pairs of numbers that MPI has predefined, those made with large counts,
 * and of long doubles, which do not fill their memory.
 */
#include <assert.h>
#include <mpi.h>

struct LongInt {
    long value;
    int place;
};

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct LongInt own = {10 + rank, rank}, most = {0, 0}, scanned = {0, 0};
    MPI_Request requests[2];
    MPI_Iallreduce(&own, &most, 1, MPI_LONG_INT, MPI_MAXLOC, MPI_COMM_WORLD, &requests[0]);
    MPI_Iscan(&own, &scanned, 1, MPI_LONG_INT, MPI_MINLOC, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    assert(most.value == 11 && most.place == 1 && scanned.value == 10 && scanned.place == 0);

    MPI_Datatype pair, pairs, column;
    int sent[8] = {1, 2, 3, 4, 5, 6, 7, 8}, received[8] = {0};
    MPI_Type_contiguous_c(2, MPI_INT, &pair);
    MPI_Type_vector_c(2, 1, 2, pair, &pairs);
    MPI_Type_commit(&pairs);
    MPI_Sendrecv(sent, 1, pairs, 1 - rank, 0, received, 1, pairs, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(received[1] == 2 && received[2] == 0 && received[5] == 6);
    MPI_Type_free(&pair);
    MPI_Type_free(&pairs);

    long double from[12] = {1, 2, 3}, to[12] = {0};
    MPI_Type_vector(4, 1, 3, MPI_LONG_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Sendrecv(from, 1, column, 1 - rank, 0, to, 1, column, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
