/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Data that agree although the calls describe them in different ways: bytes and packed data with anything, shorter
 * messages, other languages' names, derived datatypes of the same basic ones, none at all, and a handle that MPI uses
 * again for another datatype.
 */
#include <mpi.h>
#include <stddef.h>

static int rank;
static char data[4096];

static void exchange(int sent, MPI_Datatype type, int received, MPI_Datatype as) {
    if (rank == 0) {
        MPI_Recv(data, received, as, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(data, sent, type, 0, 0, MPI_COMM_WORLD);
    }
}

static MPI_Datatype structure(int count, const int* lengths, const MPI_Datatype* types) {
    MPI_Aint places[8];
    MPI_Datatype made;
    for (int i = 0; i < count; i++) {
        places[i] = 64 * i;
    }
    MPI_Type_create_struct(count, lengths, places, types, &made);
    MPI_Type_commit(&made);
    return made;
}

int main(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    exchange(8, MPI_BYTE, 2, MPI_INT);
    exchange(2, MPI_DOUBLE, 16, MPI_BYTE);
    exchange(2, MPI_PACKED, 2, MPI_FLOAT);
    exchange(2, MPI_FLOAT, 64, MPI_PACKED);
    exchange(3, MPI_INT, 100, MPI_INT);
    exchange(0, MPI_INT, 4, MPI_FLOAT);
    exchange(4, MPI_INT, 4, MPI_INTEGER);
    exchange(4, MPI_LONG, 4, MPI_INT64_T);
    exchange(4, MPI_AINT, 4, MPI_LONG_LONG);
    exchange(4, MPI_OFFSET, 4, MPI_COUNT);
    exchange(4, MPI_DOUBLE, 4, MPI_DOUBLE_PRECISION);
    exchange(4, MPI_CHAR, 4, MPI_UNSIGNED_CHAR);
    exchange(4, MPI_CHARACTER, 4, MPI_SIGNED_CHAR);
    exchange(2, MPI_C_DOUBLE_COMPLEX, 4, MPI_DOUBLE);
    exchange(2, MPI_C_FLOAT_COMPLEX, 2, MPI_COMPLEX);
    exchange(2, MPI_2INT, 4, MPI_INT);
    exchange(4, MPI_C_BOOL, 4, MPI_CXX_BOOL);

    MPI_Datatype vector, indexed, resized, copy, block, sub;
    const int lengths[4] = {1, 2, 2, 1}, places[4] = {0, 2, 5, 9}, apart[2] = {0, 4}, sizes[2] = {4, 4},
              parts[2] = {2, 3}, starts[2] = {1, 0};
    MPI_Type_vector(2, 3, 5, MPI_INT, &vector);
    MPI_Type_indexed(4, lengths, places, MPI_INT, &indexed);
    MPI_Type_create_resized(vector, 0, 128, &resized);
    MPI_Type_dup(indexed, &copy);
    MPI_Type_create_indexed_block(2, 3, apart, MPI_INT, &block);
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &sub);
    MPI_Datatype* six[6] = {&vector, &indexed, &resized, &copy, &block, &sub};
    for (int i = 0; i < 6; i++) {
        MPI_Type_commit(six[i]);
    }
    for (int i = 0; i < 6; i++) {
        exchange(2, *six[i], 2, *six[(i + 1) % 6]);
        exchange(1, *six[i], 17, MPI_INT);
        exchange(5, MPI_INT, 1, *six[i]); /* not even one whole */
    }
    for (int i = 0; i < 6; i++) {
        MPI_Type_free(six[i]);
    }

    const int ones[3] = {1, 3, 2};
    const MPI_Datatype mixed[3] = {MPI_INT, MPI_FLOAT, MPI_INT}, pair[2] = {MPI_DOUBLE, MPI_INT},
                       with_bytes[3] = {MPI_INT, MPI_BYTE, MPI_INT};
    const int one[2] = {1, 1}, four[3] = {1, 12, 2};
    MPI_Datatype a = structure(3, ones, mixed), b = structure(2, one, pair), c = structure(3, four, with_bytes);
    exchange(3, a, 3, a);
    exchange(2, b, 2, MPI_DOUBLE_INT);
    exchange(2, a, 2, c);
    exchange(2, c, 2, a);
    exchange(2, c, 200, MPI_BYTE);
    MPI_Type_free(&a);
    MPI_Type_free(&b);
    MPI_Type_free(&c);

    /* MPI uses the handle again. */
    for (int i = 0; i < 10; i++) {
        MPI_Datatype type;
        MPI_Type_contiguous(3, i % 2 ? MPI_INT : MPI_FLOAT, &type);
        MPI_Type_commit(&type);
        exchange(1, type, 3, i % 2 ? MPI_INT : MPI_FLOAT);
        MPI_Type_free(&type);
    }
    MPI_Finalize();
    return 0;
}
