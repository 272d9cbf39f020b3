/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Every collective with counts of type MPI_Count in its three forms, with its result checked. Rank 0 uses int where the
 * others use MPI_Count: that is the same collective. Compare blocking_collectives.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { N = 3 };

static int rank, one, sum, word, all[N], in[N], out[N], many[N * N], big[N * N];
static MPI_Request h;

static void reset(void) {
    sum = 0;
    word = rank == 2 ? 99 : -1;
    for (int i = 0; i < N; i++) all[i] = out[i] = -1, in[i] = 10 * rank + i;
    for (int i = 0; i < N * N; i++) many[i] = i, big[i] = -1;
}

static int same(const int* values, int factor, int offset) {
    for (int i = 0; i < N; i++)
        if (values[i] != factor * i + offset) return 0;
    return 1;
}

/* Part j of many, or of each rank i, lies at i * N: the first i + 1 of each. */
static int triangle(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (big[i * N + j] != (j <= i ? j : -1)) return 0;
    return 1;
}

#define LIST(...) __VA_ARGS__
#define START_AND_FREE               \
    MPI_Start(&h);                   \
    MPI_Wait(&h, MPI_STATUS_IGNORE); \
    MPI_Request_free(&h)
/* `wide` has arrays of MPI_Count, `narrow` of int. */
#define EACH(Name, Iname, narrow, wide, comm, result)       \
    reset();                                                \
    if (rank == 0)                                          \
        MPI_##Name(narrow, comm);                           \
    else                                                    \
        MPI_##Name##_c(wide, comm);                         \
    assert(result);                                         \
    reset();                                                \
    if (rank == 0)                                          \
        MPI_##Iname(narrow, comm, &h);                      \
    else                                                    \
        MPI_##Iname##_c(wide, comm, &h);                    \
    MPI_Wait(&h, MPI_STATUS_IGNORE);                        \
    assert(result);                                         \
    reset();                                                \
    if (rank == 0)                                          \
        MPI_##Name##_init(narrow, comm, MPI_INFO_NULL, &h); \
    else                                                    \
        MPI_##Name##_init_c(wide, comm, MPI_INFO_NULL, &h); \
    START_AND_FREE;                                         \
    assert(result)

int main(void) {
    int size, counts[N], displs[N], ones[N], firsts[N], bytes[N];
    MPI_Count wide_counts[N], wide_ones[N];
    MPI_Aint wide_displs[N], wide_firsts[N], wide_bytes[N];
    MPI_Datatype types[N];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    assert(size == N);
    const MPI_Comm w = MPI_COMM_WORLD;
    one = rank + 1;
    for (int i = 0; i < N; i++) {
        wide_counts[i] = counts[i] = i + 1, wide_displs[i] = displs[i] = i * N;
        wide_ones[i] = ones[i] = 1, wide_firsts[i] = firsts[i] = i;
        wide_bytes[i] = bytes[i] = i * (int)sizeof(int), types[i] = MPI_INT;
    }
    const int block = 10 * (N * (N - 1) / 2) + N * rank;

    EACH(Bcast, Ibcast, LIST(&word, 1, MPI_INT, 2), LIST(&word, 1, MPI_INT, 2), w, word == 99);
    EACH(Gather, Igather, LIST(&one, 1, MPI_INT, all, 1, MPI_INT, 1), LIST(&one, 1, MPI_INT, all, 1, MPI_INT, 1), w,
         rank != 1 || same(all, 1, 1));
    EACH(Gatherv, Igatherv, LIST(many, rank + 1, MPI_INT, big, counts, displs, MPI_INT, 2),
         LIST(many, rank + 1, MPI_INT, big, wide_counts, wide_displs, MPI_INT, 2), w, rank != 2 || triangle());
    EACH(Scatter, Iscatter, LIST(in, 1, MPI_INT, &word, 1, MPI_INT, 0), LIST(in, 1, MPI_INT, &word, 1, MPI_INT, 0), w,
         word == rank);
    EACH(Scatterv, Iscatterv, LIST(many, counts, displs, MPI_INT, out, rank + 1, MPI_INT, 1),
         LIST(many, wide_counts, wide_displs, MPI_INT, out, rank + 1, MPI_INT, 1), w, out[rank] == rank * N + rank);
    EACH(Allgather, Iallgather, LIST(&one, 1, MPI_INT, all, 1, MPI_INT), LIST(&one, 1, MPI_INT, all, 1, MPI_INT), w,
         same(all, 1, 1));
    EACH(Allgatherv, Iallgatherv, LIST(many, rank + 1, MPI_INT, big, counts, displs, MPI_INT),
         LIST(many, rank + 1, MPI_INT, big, wide_counts, wide_displs, MPI_INT), w, triangle());
    EACH(Alltoall, Ialltoall, LIST(in, 1, MPI_INT, out, 1, MPI_INT), LIST(in, 1, MPI_INT, out, 1, MPI_INT), w,
         same(out, 10, rank));
    EACH(Alltoallv, Ialltoallv, LIST(in, ones, firsts, MPI_INT, out, ones, firsts, MPI_INT),
         LIST(in, wide_ones, wide_firsts, MPI_INT, out, wide_ones, wide_firsts, MPI_INT), w, same(out, 10, rank));
    EACH(Alltoallw, Ialltoallw, LIST(in, ones, bytes, types, out, ones, bytes, types),
         LIST(in, wide_ones, wide_bytes, types, out, wide_ones, wide_bytes, types), w, same(out, 10, rank));
    EACH(Reduce, Ireduce, LIST(&one, &sum, 1, MPI_INT, MPI_SUM, 2), LIST(&one, &sum, 1, MPI_INT, MPI_SUM, 2), w,
         rank != 2 || sum == N * (N + 1) / 2);
    EACH(Allreduce, Iallreduce, LIST(&one, &sum, 1, MPI_INT, MPI_MAX), LIST(&one, &sum, 1, MPI_INT, MPI_MAX), w,
         sum == N);
    EACH(Reduce_scatter_block, Ireduce_scatter_block, LIST(in, &word, 1, MPI_INT, MPI_SUM),
         LIST(in, &word, 1, MPI_INT, MPI_SUM), w, word == block);
    EACH(Reduce_scatter, Ireduce_scatter, LIST(in, &word, ones, MPI_INT, MPI_SUM),
         LIST(in, &word, wide_ones, MPI_INT, MPI_SUM), w, word == block);
    EACH(Scan, Iscan, LIST(&one, &sum, 1, MPI_INT, MPI_SUM), LIST(&one, &sum, 1, MPI_INT, MPI_SUM), w,
         sum == (rank + 1) * (rank + 2) / 2);
    EACH(Exscan, Iexscan, LIST(&one, &sum, 1, MPI_INT, MPI_SUM), LIST(&one, &sum, 1, MPI_INT, MPI_SUM), w,
         sum == rank * (rank + 1) / 2);

    /* A ring: the neighbours are the rank before and the one behind. */
    MPI_Comm ring;
    const int dims = N, periodic = 1;
    MPI_Aint distances[N];
    for (int i = 0; i < N; i++) distances[i] = bytes[i];
    MPI_Cart_create(w, 1, &dims, &periodic, 0, &ring);
    const int before = (rank + N - 1) % N, behind = (rank + 1) % N;
    EACH(Neighbor_allgather, Ineighbor_allgather, LIST(&one, 1, MPI_INT, all, 1, MPI_INT),
         LIST(&one, 1, MPI_INT, all, 1, MPI_INT), ring, all[0] == before + 1 && all[1] == behind + 1);
    EACH(Neighbor_allgatherv, Ineighbor_allgatherv, LIST(&one, 1, MPI_INT, all, ones, firsts, MPI_INT),
         LIST(&one, 1, MPI_INT, all, wide_ones, wide_firsts, MPI_INT), ring,
         all[0] == before + 1 && all[1] == behind + 1);
    EACH(Neighbor_alltoall, Ineighbor_alltoall, LIST(in, 1, MPI_INT, out, 1, MPI_INT),
         LIST(in, 1, MPI_INT, out, 1, MPI_INT), ring, out[0] == 10 * before + 1 && out[1] == 10 * behind);
    EACH(Neighbor_alltoallv, Ineighbor_alltoallv, LIST(in, ones, firsts, MPI_INT, out, ones, firsts, MPI_INT),
         LIST(in, wide_ones, wide_firsts, MPI_INT, out, wide_ones, wide_firsts, MPI_INT), ring,
         out[0] == 10 * before + 1 && out[1] == 10 * behind);
    EACH(Neighbor_alltoallw, Ineighbor_alltoallw, LIST(in, ones, distances, types, out, ones, distances, types),
         LIST(in, wide_ones, distances, types, out, wide_ones, distances, types), ring,
         out[0] == 10 * before + 1 && out[1] == 10 * behind);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
