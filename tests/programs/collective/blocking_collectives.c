/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Every blocking collective of MPI-3, with its result checked; it must be the same with the tool as without.
 * Compare nonblocking_collectives.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { N = 3 };

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    assert(size == N);
    const MPI_Comm w = MPI_COMM_WORLD;
    int one = rank + 1, sum = 0, all[N], in[N], out[N], counts[N], displs[N], ones[N];
    int many[N * N], big[N * N];
    for (int i = 0; i < N; i++) counts[i] = i + 1, displs[i] = i * N, ones[i] = 1, in[i] = 10 * rank + i;

    MPI_Barrier(w);
    int word = rank == 2 ? 99 : 0;
    MPI_Bcast(&word, 1, MPI_INT, 2, w);
    assert(word == 99);
    MPI_Gather(&one, 1, MPI_INT, all, 1, MPI_INT, 1, w);
    for (int i = 0; rank == 1 && i < N; i++) assert(all[i] == i + 1);
    for (int i = 0; i < N * N; i++) many[i] = i, big[i] = -1;
    MPI_Gatherv(many, rank + 1, MPI_INT, big, counts, displs, MPI_INT, 0, w);
    for (int i = 0; rank == 0 && i < N; i++)
        for (int j = 0; j < N; j++) assert(big[i * N + j] == (j <= i ? j : -1));
    for (int i = 0; i < N; i++) out[i] = 7 * i;
    word = -1;
    MPI_Scatter(out, 1, MPI_INT, &word, 1, MPI_INT, 0, w);
    assert(word == 7 * rank);
    for (int i = 0; i < N; i++) out[i] = -1;
    MPI_Scatterv(many, counts, displs, MPI_INT, out, rank + 1, MPI_INT, 1, w);
    for (int j = 0; j < N; j++) assert(out[j] == (j <= rank ? rank * N + j : -1));
    MPI_Allgather(&one, 1, MPI_INT, all, 1, MPI_INT, w);
    for (int i = 0; i < N; i++) assert(all[i] == i + 1);
    for (int i = 0; i < N * N; i++) big[i] = -1;
    MPI_Allgatherv(many, rank + 1, MPI_INT, big, counts, displs, MPI_INT, w);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) assert(big[i * N + j] == (j <= i ? j : -1));
    MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, w);
    for (int i = 0; i < N; i++) assert(out[i] == 10 * i + rank);
    for (int i = 0; i < N; i++) displs[i] = i, out[i] = -1;
    MPI_Alltoallv(in, ones, displs, MPI_INT, out, ones, displs, MPI_INT, w);
    for (int i = 0; i < N; i++) assert(out[i] == 10 * i + rank);
    MPI_Datatype types[N];
    for (int i = 0; i < N; i++) displs[i] = i * (int)sizeof(int), out[i] = -1, types[i] = MPI_INT;
    MPI_Alltoallw(in, ones, displs, types, out, ones, displs, types, w);
    for (int i = 0; i < N; i++) assert(out[i] == 10 * i + rank);
    MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, 2, w);
    assert(rank != 2 || sum == N * (N + 1) / 2);
    sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_MAX, w);
    assert(sum == N);
    MPI_Reduce_scatter_block(in, &word, 1, MPI_INT, MPI_SUM, w);
    assert(word == 10 * (N * (N - 1) / 2) + N * rank);
    word = 0;
    MPI_Reduce_scatter(in, &word, ones, MPI_INT, MPI_SUM, w);
    assert(word == 10 * (N * (N - 1) / 2) + N * rank);
    MPI_Scan(&one, &sum, 1, MPI_INT, MPI_SUM, w);
    assert(sum == (rank + 1) * (rank + 2) / 2);
    sum = 0;
    MPI_Exscan(&one, &sum, 1, MPI_INT, MPI_SUM, w);
    assert(sum == rank * (rank + 1) / 2);
    int place = 100 + rank;
    MPI_Allreduce(MPI_IN_PLACE, &place, 1, MPI_INT, MPI_MAX, w);
    assert(place == 100 + N - 1);
    MPI_Finalize();
    return 0;
}
