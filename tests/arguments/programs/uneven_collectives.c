/* Collectives of two ranks of which one gives the other something else than that asks for, or that get different
 * arguments where all must be the same. The kind of the finding is told after the mark of the line. With MENDED nothing
 * is wrong. Each has a communicator of its own, and none of them makes MPI fail. */
/* clang-format off */
#include <mpi.h>
#include <stddef.h>

#ifdef MENDED
#define IF_WRONG(wrong, right) (right)
#else
#define IF_WRONG(wrong, right) (wrong)
#endif

static int rank, in[16], out[16];
static const int apart[2] = {0, 4}, ones[2] = {1, 1}, bytes_apart[2] = {0, 16};

static MPI_Comm made[16];
static int number_made;

static MPI_Comm fresh(void) {
    MPI_Comm_dup(MPI_COMM_WORLD, &made[number_made]);
    return made[number_made++];
}

static MPI_Comm ring(void) {
    const int size = 2, periodic = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &made[number_made]);
    return made[number_made++];
}

int main(void) {
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request request;
    const int more_of_other[2] = {rank == 0 ? 1 : IF_WRONG(2, 1), rank == 0 ? IF_WRONG(2, 1) : 1};
    const int of_one[2] = {1, IF_WRONG(2, 1)};
    const int only_other[2] = {rank, 1 - rank};
    const MPI_Datatype own_type = rank == 1 ? IF_WRONG(MPI_FLOAT, MPI_INT) : MPI_INT;
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT}, own_types[2] = {own_type, own_type};

    MPI_Gatherv(out, 1, MPI_INT, in, of_one, apart, MPI_INT, 0, fresh()); //! collective/mismatch
    MPI_Scatterv(out, ones, apart, MPI_INT, in, of_one[rank], MPI_INT, 0, fresh()); //! collective/mismatch
    MPI_Allgatherv(out, 1, MPI_INT, in, of_one, apart, MPI_INT, fresh()); //! collective/mismatch
    MPI_Alltoallv(out, ones, apart, MPI_INT, in, more_of_other, apart, MPI_INT, fresh()); //! collective/mismatch
    MPI_Alltoallv(out, only_other, apart, own_type, in, only_other, apart, MPI_INT, fresh()); //! type/collective
    MPI_Alltoallw(out, ones, bytes_apart, types, in, more_of_other, bytes_apart, types, fresh()); //! collective/mismatch
    MPI_Alltoallw(out, ones, bytes_apart, own_types, in, ones, bytes_apart, own_types, fresh()); //! type/collective
    MPI_Ialltoallv(out, ones, apart, MPI_INT, in, more_of_other, apart, MPI_INT, fresh(), &request); //! collective/mismatch
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Neighbor_allgather(out, 1, own_type, in, 1, own_type, ring()); //! type/collective
    MPI_Neighbor_alltoallv(out, ones, apart, own_type, in, ones, apart, own_type, ring()); //! type/collective

    const int one_other = 1 - rank, two = 2, none = 0, own_way = rank == 1 ? IF_WRONG(1, 0) : 0, ends[2] = {1, 2};
    const int edges[2] = {rank == 1 ? IF_WRONG(0, 1) : 1, rank == 1 ? IF_WRONG(1, 0) : 0};
    MPI_Comm comm;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &two, &own_way, 0, &comm); //! collective/mismatch
    MPI_Comm_free(&comm);
    MPI_Graph_create(MPI_COMM_WORLD, 2, ends, edges, 0, &comm); //! collective/mismatch
    MPI_Comm_free(&comm);

    /* The edges of a graph in either direction, two of them between the same ranks. */
    const int twice[2] = {one_other, one_other}, gives[2] = {1, 2}, asks[2] = {1, 2};
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, twice, MPI_UNWEIGHTED, 2, twice, MPI_UNWEIGHTED, MPI_INFO_NULL, none, &comm);
    MPI_Neighbor_alltoallv(out, gives, apart, MPI_INT, in, asks, apart, MPI_INT, comm);
    MPI_Comm_free(&comm);

    /* MPI_BYTE goes with everything of that many bytes; nothing may go with anything; what stays in place. */
    const int bytes[2] = {rank == 0 ? 4 : 1, rank == 0 ? 4 : 1}, nothing[2] = {0, 0};
    MPI_Alltoallv(out, bytes, apart, rank == 0 ? MPI_BYTE : MPI_INT, in, ones, apart, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(out, nothing, apart, rank == 0 ? MPI_DOUBLE : MPI_INT, in, nothing, apart, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, ones, apart, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, ones, apart, MPI_INT, MPI_COMM_WORLD);
    MPI_Gatherv(rank == 0 ? MPI_IN_PLACE : out, 1, MPI_INT, in, ones, apart, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    const int twos[2] = {2, 2};
    MPI_Alltoallv(out, ones, apart, pair, in, rank == 0 ? twos : ones, apart, rank == 0 ? MPI_INT : pair, MPI_COMM_WORLD);
    MPI_Type_free(&pair);
    for (int i = 0; i < number_made; i++) MPI_Comm_free(&made[i]);
    MPI_Finalize();
    return 0;
}
