/* DAMPI-TEST
 *   np: 1
 *   expect: argument/buffer, argument/communicator, argument/count, argument/datatype, argument/dimensions,
 *     argument/file, argument/group, argument/keyval, argument/operator, argument/rank, argument/request,
 *     argument/root, argument/tag, argument/topology, argument/value, argument/window, buffer/overlap, truncation
 *   central: refused MPI_Win_fence
 *   interleavings: 1
 *   outcomes: {}
 * The program gets the same error classes as without the tool, and goes on. Twin: ordinary_conditions.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static void expect(int class, int error) {
    int actual;
    MPI_Error_class(error, &actual);
    assert(actual == class);
}

int main(void) {
    int data[4] = {0}, flag, size;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    MPI_Datatype pair;
    MPI_Group group, other;
    MPI_Comm made;
    MPI_Win window = MPI_WIN_NULL;
    MPI_Offset length;
    const MPI_Comm world = MPI_COMM_WORLD;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Comm_group(world, &group);

    for (int i = 0; i < 1000; i++) expect(MPI_ERR_RANK, MPI_Send(data, 1, MPI_INT, 7, 0, world));
    expect(MPI_ERR_COUNT, MPI_Send(data, -1, MPI_INT, 0, 0, world));
    expect(MPI_ERR_TAG, MPI_Isend(data, 1, MPI_INT, 0, 1 << 30, world, &request));
    expect(MPI_ERR_TYPE, MPI_Send(data, 1, pair, 0, 0, world));
    expect(MPI_ERR_TYPE, MPI_Bcast(data, 1, pair, 0, world));
    expect(MPI_ERR_BUFFER, MPI_Send(NULL, 1, MPI_INT, 0, 0, world));
    expect(MPI_ERR_COMM, MPI_Send(data, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
    expect(MPI_ERR_COMM, MPI_Comm_size(MPI_COMM_NULL, &size));
    expect(MPI_ERR_COUNT, MPI_Recv(data, -1, MPI_INT, MPI_ANY_SOURCE, 0, world, &status));
    expect(MPI_ERR_TAG, MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, -5, world, &status));
    expect(MPI_ERR_TAG, MPI_Probe(MPI_ANY_SOURCE, -9, world, &status));
    expect(MPI_ERR_RANK, MPI_Sendrecv(data, 1, MPI_INT, 7, 0, data + 1, 1, MPI_INT, 0, 0, world, &status));
    expect(MPI_ERR_COUNT, MPI_Sendrecv(data, -1, MPI_INT, 0, 0, data + 1, 1, MPI_INT, 0, 0, world, &status));
    expect(MPI_ERR_REQUEST, MPI_Start(&request));
    expect(MPI_ERR_REQUEST, MPI_Startall(1, &request));
    expect(MPI_ERR_REQUEST, MPI_Cancel(&request));
    expect(MPI_ERR_COUNT, MPI_Waitall(-1, &request, &status));
    expect(MPI_ERR_ROOT, MPI_Bcast(data, 1, MPI_INT, 3, world));
    expect(MPI_ERR_BUFFER, MPI_Allreduce(data, data, 1, MPI_INT, MPI_SUM, world));
    expect(MPI_ERR_OP, MPI_Allreduce(data, data + 1, 1, MPI_INT, MPI_OP_NULL, world));
    expect(MPI_ERR_TOPOLOGY, MPI_Cart_coords(world, 0, 1, data));
    expect(MPI_ERR_DIMS, MPI_Dims_create(1, 1, &(int){-1}));
    expect(MPI_ERR_GROUP, MPI_Group_size(MPI_GROUP_NULL, &size));
    expect(MPI_ERR_RANK, MPI_Group_incl(group, 1, &(int){5}, &other));
    expect(MPI_ERR_GROUP, MPI_Comm_create(world, MPI_GROUP_NULL, &made));
    expect(MPI_ERR_KEYVAL, MPI_Comm_get_attr(world, MPI_KEYVAL_INVALID, &data, &flag));
    expect(MPI_ERR_ARG, MPI_Comm_set_errhandler(world, MPI_ERRHANDLER_NULL));
    expect(MPI_ERR_WIN, MPI_Win_fence(0, window));
    expect(MPI_ERR_FILE, MPI_File_get_size(MPI_FILE_NULL, &length));

    MPI_Request receives[2];
    MPI_Status statuses[2];
    MPI_Irecv(data, 1, MPI_INT, 0, 1, world, &receives[0]);
    MPI_Irecv(data + 1, 1, MPI_INT, 0, 2, world, &receives[1]);
    MPI_Send(data + 2, 1, MPI_INT, 0, 1, world);
    MPI_Send(data + 2, 2, MPI_INT, 0, 2, world);
    expect(MPI_ERR_IN_STATUS, MPI_Waitall(2, receives, statuses));
    assert(statuses[0].MPI_ERROR == MPI_SUCCESS);
    expect(MPI_ERR_TRUNCATE, statuses[1].MPI_ERROR);

    MPI_Group_free(&group);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
