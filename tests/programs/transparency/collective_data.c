/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   interleavings: 1
 * What collectives do with data, in all their forms: in place, with datatypes that have gaps, with operators that do
 * not commute, between groups, among neighbours that are each other's on both sides.
 */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { ranks = 4 };
static int rank;

/* x -> a x + b: composition is associative and does not commute. */
typedef struct {
    long a, b;
} Affine;

static MPI_Datatype composed_type;

static void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
    assert(*type == composed_type); /* the handle itself, also if it is freed meanwhile */
    Affine* left = in;
    Affine* right = inout;
    for (int i = 0; i < *count; i++) {
        const Affine both = {left[i].a * right[i].a, left[i].a * right[i].b + left[i].b};
        right[i] = both;
    }
}

static Affine affine_of(int of) {
    const Affine result = {of + 2, 3 * of + 1};
    return result;
}

/* The composition of those of the ranks first to last. */
static Affine composed(int first, int last) {
    Affine result = affine_of(last);
    for (int i = last - 1; i >= first; i--) {
        const Affine left = affine_of(i);
        const Affine both = {left.a * result.a, left.a * result.b + left.b};
        result = both;
    }
    return result;
}

static int same(Affine one, Affine other) { return one.a == other.a && one.b == other.b; }

/* What rank `from` has for rank `to`, element i. */
static int value(int from, int to, int i) { return 10000 * from + 100 * to + i; }

static void wait(MPI_Request* request) {
    MPI_Wait(request, MPI_STATUS_IGNORE);
    assert(*request == MPI_REQUEST_NULL);
}

static void moving(MPI_Comm comm) {
    MPI_Datatype gaps; /* two of three */
    MPI_Type_vector(2, 1, 2, MPI_INT, &gaps);
    MPI_Datatype spaced;
    MPI_Type_create_resized(gaps, 0, 4 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    MPI_Type_free(&gaps);

    int from[4 * ranks], to[4 * ranks];
    /* gather of two ints into elements with gaps, and back */
    int two[2] = {value(rank, 0, 0), value(rank, 0, 1)};
    memset(to, -1, sizeof to);
    MPI_Gather(two, 2, MPI_INT, to, 1, spaced, 2, comm);
    for (int i = 0; rank == 2 && i < ranks; i++) {
        assert(to[4 * i] == value(i, 0, 0) && to[4 * i + 2] == value(i, 0, 1));
        assert(to[4 * i + 1] == -1 && to[4 * i + 3] == -1);
    }
    MPI_Request request;
    int back[2] = {-1, -1};
    MPI_Iscatter(to, 1, spaced, back, 2, MPI_INT, 2, comm, &request);
    MPI_Type_free(&spaced);
    wait(&request);
    assert(back[0] == two[0] && back[1] == two[1]);

    /* in place */
    for (int i = 0; i < ranks; i++) to[i] = i == rank ? value(rank, 0, 7) : -1;
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, 1, MPI_INT, comm);
    for (int i = 0; i < ranks; i++) assert(to[i] == value(i, 0, 7));
    for (int i = 0; i < ranks; i++) to[i] = value(rank, i, 0);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, 1, MPI_INT, comm);
    for (int i = 0; i < ranks; i++) assert(to[i] == value(i, rank, 0));
    for (int i = 0; i < ranks; i++) to[i] = i == rank ? value(rank, 1, 1) : -1;
    if (rank == 1) {
        MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, to, 1, MPI_INT, 1, comm);
        for (int i = 0; i < ranks; i++) assert(to[i] == value(i, 1, 1));
    } else {
        MPI_Gather(&to[rank], 1, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 1, comm);
    }

    /* to each another amount: rank i has i + j % 2 elements for rank j */
    int counts[ranks], places[ranks], incoming[ranks], arrive[ranks];
    MPI_Datatype types[ranks];
    int sent = 0, received = 0;
    for (int i = 0; i < ranks; i++) {
        counts[i] = rank + i % 2;
        places[i] = sent;
        for (int j = 0; j < counts[i]; j++) from[sent++] = value(rank, i, j);
        incoming[i] = i + rank % 2;
        arrive[i] = received;
        received += incoming[i];
        types[i] = MPI_INT;
    }
    memset(to, -1, sizeof to);
    MPI_Alltoallv(from, counts, places, MPI_INT, to, incoming, arrive, MPI_INT, comm);
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < incoming[i]; j++) assert(to[arrive[i] + j] == value(i, rank, j));
    }
    int byte_places[ranks], byte_arrive[ranks];
    for (int i = 0; i < ranks; i++) {
        byte_places[i] = places[i] * (int)sizeof(int);
        byte_arrive[i] = arrive[i] * (int)sizeof(int);
    }
    memset(to, -1, sizeof to);
    MPI_Alltoallw(from, counts, byte_places, types, to, incoming, byte_arrive, types, comm);
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < incoming[i]; j++) assert(to[arrive[i] + j] == value(i, rank, j));
    }
    for (int i = 0, place = 0; i < ranks; place += i++) {
        counts[i] = i;
        places[i] = place;
    }
    for (int i = 0; i < rank; i++) from[i] = value(rank, 9, i);
    MPI_Iallgatherv(from, rank, MPI_INT, to, counts, places, MPI_INT, comm, &request);
    wait(&request);
    for (int i = 0; i < ranks; i++) {
        for (int j = 0; j < i; j++) assert(to[places[i] + j] == value(i, 9, j));
    }
    memset(from, -1, sizeof from);
    MPI_Scatterv(to, counts, places, MPI_INT, from, rank, MPI_INT, 3, comm);
    for (int i = 0; i < rank; i++) assert(from[i] == value(rank, 9, i));
}

static void reducing(MPI_Comm comm) {
    MPI_Op operation;
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_LONG, &pair);
    MPI_Type_commit(&pair);
    composed_type = pair;
    MPI_Op_create(compose, 0, &operation);

    Affine own[ranks], result[ranks];
    for (int i = 0; i < ranks; i++) own[i] = affine_of(rank);
    MPI_Allreduce(own, result, 2, pair, operation, comm);
    assert(same(result[0], composed(0, 3)) && same(result[1], composed(0, 3)));
    MPI_Reduce(own, result, 1, pair, operation, 2, comm);
    assert(rank != 2 || same(result[0], composed(0, 3)));
    MPI_Scan(own, result, 1, pair, operation, comm);
    assert(same(result[0], composed(0, rank)));
    MPI_Exscan(own, result, 1, pair, operation, comm);
    assert(rank == 0 || same(result[0], composed(0, rank - 1)));
    result[0] = own[0];
    MPI_Scan(MPI_IN_PLACE, result, 1, pair, operation, comm);
    assert(same(result[0], composed(0, rank)));
    for (int i = 0; i < ranks; i++) own[i].b += i; /* only in the first element of each block */
    MPI_Reduce_scatter_block(own, result, 1, pair, operation, comm);
    Affine expected = affine_of(ranks - 1);
    expected.b += rank;
    for (int i = ranks - 2; i >= 0; i--) {
        Affine left = affine_of(i);
        left.b += rank;
        const Affine both = {left.a * expected.a, left.a * expected.b + left.b};
        expected = both;
    }
    assert(same(result[0], expected));
    MPI_Request request; /* needs both for longer than the program does */
    for (int i = 0; i < ranks; i++) own[i] = affine_of(rank);
    MPI_Iallreduce(own, result, 2, pair, operation, comm, &request);
    MPI_Op_free(&operation);
    MPI_Type_free(&pair);
    wait(&request);
    assert(same(result[1], composed(0, 3)));

    struct {
        double value;
        int rank;
    } mine = {rank == 2 ? -1.0 : rank, rank}, least;
    MPI_Allreduce(&mine, &least, 1, MPI_DOUBLE_INT, MPI_MINLOC, comm);
    assert(least.value == -1.0 && least.rank == 2);

    int counts[ranks] = {1, 0, 2, 1}, numbers[4], part[2] = {-1, -1};
    for (int i = 0; i < 4; i++) numbers[i] = (rank + 1) * (i + 1);
    MPI_Ireduce_scatter(numbers, part, counts, MPI_INT, MPI_SUM, comm, &request);
    wait(&request);
    const int first[ranks] = {0, 1, 1, 3};
    for (int i = 0; i < counts[rank]; i++) assert(part[i] == 10 * (first[rank] + i + 1));
}

static void persistent(MPI_Comm comm) {
    int own = 0, sum = 0;
    MPI_Request request;
    MPI_Allreduce_init(&own, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request);
    for (int round = 1; round <= 3; round++) {
        own = round * (rank + 1);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        assert(sum == 10 * round);
    }
    MPI_Request_free(&request);
}

static void between_groups(void) {
    MPI_Comm half, across;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank % 2 == 0 ? 1 : 0, 7, &across);
    int inter, size;
    MPI_Comm_test_inter(across, &inter);
    MPI_Comm_remote_size(across, &size);
    assert(inter && size == 2);

    int told = rank == 2 ? 77 : -1;
    MPI_Bcast(&told, 1, MPI_INT, rank == 2 ? MPI_ROOT : rank == 0 ? MPI_PROC_NULL : 1, across);
    assert(told == (rank == 0 ? -1 : 77));
    int heard[2];
    MPI_Allgather(&rank, 1, MPI_INT, heard, 1, MPI_INT, across);
    assert(heard[0] == 1 - rank % 2 && heard[1] == 3 - rank % 2);
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, across);
    assert(sum == (rank % 2 == 0 ? 4 : 2));
    int give[2] = {value(rank, 0, 0), value(rank, 1, 0)}, get[2];
    MPI_Alltoall(give, 1, MPI_INT, get, 1, MPI_INT, across);
    assert(get[0] == value(1 - rank % 2, rank / 2, 0) && get[1] == value(3 - rank % 2, rank / 2, 0));

    MPI_Comm all, part;
    MPI_Intercomm_merge(across, rank % 2 == 0, &all);
    int new_rank;
    MPI_Comm_rank(all, &new_rank);
    assert(new_rank == (rank % 2 == 0 ? 2 + rank / 2 : rank / 2)); /* the odd ones are the low group */
    MPI_Comm_split(across, rank / 2, 0, &part);
    MPI_Comm_remote_size(part, &size);
    assert(size == 1);
    MPI_Comm_free(&part);
    MPI_Comm_free(&all);
    MPI_Comm_free(&across);
    MPI_Comm_free(&half);
}

static void among_neighbours(void) {
    /* Two in a ring: left and right are the same rank. */
    MPI_Comm ring, pairs;
    const int dims[2] = {2, 2}, periods[2] = {1, 1}, remain[2] = {0, 1};
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &ring);
    MPI_Cart_sub(ring, remain, &pairs);
    int of_pair;
    MPI_Comm_rank(pairs, &of_pair);
    int give[2] = {value(of_pair, 0, 0), value(of_pair, 1, 0)}, get[2] = {-1, -1};
    MPI_Neighbor_alltoall(give, 1, MPI_INT, get, 1, MPI_INT, pairs);
    assert(get[0] == value(1 - of_pair, 1, 0) && get[1] == value(1 - of_pair, 0, 0));
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, get, 1, MPI_INT, pairs);
    assert(get[0] == get[1] && get[0] == (rank % 2 == 0 ? rank + 1 : rank - 1));
    MPI_Comm_free(&pairs);
    MPI_Comm_free(&ring);

    /* Everyone tells those above it; edges named by somebody else. */
    MPI_Comm graph;
    const int sources[3] = {0, 1, 2}, degrees[3] = {3, 2, 1}, destinations[6] = {1, 2, 3, 2, 3, 3};
    const int weights[6] = {1, 2, 3, 4, 5, 6};
    MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 2 ? 3 : 0, sources, degrees, destinations, weights, MPI_INFO_NULL, 0,
                          &graph);
    int in, out, weighted;
    MPI_Dist_graph_neighbors_count(graph, &in, &out, &weighted);
    assert(in == rank && out == 3 - rank && weighted);
    int froms[ranks], from_weights[ranks], tos[ranks], to_weights[ranks], heard[ranks];
    MPI_Dist_graph_neighbors(graph, in, froms, from_weights, out, tos, to_weights);
    MPI_Request request;
    MPI_Ineighbor_allgather(&rank, 1, MPI_INT, heard, 1, MPI_INT, graph, &request);
    wait(&request);
    for (int i = 0; i < in; i++) assert(heard[i] == froms[i]);
    MPI_Comm_free(&graph);
}

int main(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    moving(MPI_COMM_WORLD);
    reducing(MPI_COMM_WORLD);
    persistent(MPI_COMM_WORLD);
    between_groups();
    among_neighbours();
    MPI_Finalize();
    return 0;
}
