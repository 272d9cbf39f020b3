/* DAMPI-TEST
 *   np: 2
 *   expect: truncation
 *   interleavings: 1
 * What messages do with data and statuses: parts of datatypes with gaps, messages shorter and longer than what there is
 * room for, matched probes, replacement, buffered sends, peers that are nobody, cancelled receives.
 */
#include <assert.h>
#include <mpi.h>
#include <string.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int other = 1 - rank;
    MPI_Status status;
    int count, flag;

    /* 5 ints into elements of a struct with an int, a gap and a double's room for two ints */
    MPI_Datatype spaced;
    const int lengths[2] = {1, 2};
    const MPI_Aint places[2] = {0, 8};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    MPI_Type_create_struct(2, lengths, places, types, &spaced);
    MPI_Type_commit(&spaced);
    int data[16];
    if (rank == 0) {
        for (int i = 0; i < 5; i++) data[i] = i + 1;
        MPI_Send(data, 5, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        memset(data, -1, sizeof data);
        MPI_Recv(data, 4, spaced, 0, 0, MPI_COMM_WORLD, &status);
        assert(data[0] == 1 && data[1] == -1 && data[2] == 2 && data[3] == 3);
        assert(data[4] == 4 && data[5] == -1 && data[6] == 5 && data[7] == -1 && data[8] == -1);
        MPI_Get_count(&status, spaced, &count);
        assert(count == MPI_UNDEFINED);
        MPI_Get_elements(&status, spaced, &count);
        assert(count == 5);
    }
    MPI_Type_free(&spaced);

    /* matched probe, then a shorter buffer */
    if (rank == 0) {
        MPI_Ssend(data, 5, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(data, 5, MPI_INT, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Message message;
        MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        assert(count == 5 && status.MPI_TAG == 1 && status.MPI_SOURCE == 0);
        memset(data, -1, sizeof data);
        MPI_Mrecv(data, 5, MPI_INT, &message, MPI_STATUS_IGNORE);
        assert(message == MPI_MESSAGE_NULL && data[4] == 5 && data[5] == -1);
        memset(data, -1, sizeof data);
        int class;
        const int code = MPI_Recv(data, 3, MPI_INT, 0, 2, MPI_COMM_WORLD, &status);
        MPI_Error_class(code, &class);
        assert(class == MPI_ERR_TRUNCATE && data[3] == -1);
    }

    /* replacement, and with nobody on one side */
    int mine = 10 + rank;
    MPI_Sendrecv_replace(&mine, 1, MPI_INT, other, 3, other, 3, MPI_COMM_WORLD, &status);
    assert(mine == 10 + other && status.MPI_SOURCE == other && status.MPI_TAG == 3);
    int got = -1;
    MPI_Sendrecv(&mine, 1, MPI_INT, rank == 0 ? 1 : MPI_PROC_NULL, 4, &got, 1, MPI_INT, rank == 1 ? 0 : MPI_PROC_NULL,
                 4, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    assert(rank == 1 ? got == 11 && count == 1 && status.MPI_SOURCE == 0
                     : got == -1 && count == 0 && status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG);

    /* buffered, by persistent requests, and completed out of order */
    char buffer[3 * (sizeof(int) + MPI_BSEND_OVERHEAD)];
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Request requests[4];
    int out[2], in[2];
    MPI_Bsend_init(&out[0], 1, MPI_INT, other, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(&out[1], 1, MPI_INT, other, 6, MPI_COMM_WORLD, &requests[1]);
    MPI_Recv_init(&in[1], 1, MPI_INT, other, 6, MPI_COMM_WORLD, &requests[2]);
    MPI_Recv_init(&in[0], 1, MPI_INT, other, 5, MPI_COMM_WORLD, &requests[3]);
    for (int round = 0; round < 3; round++) {
        out[0] = 100 * rank + round;
        out[1] = 200 * rank + round;
        MPI_Startall(4, requests);
        MPI_Wait(&requests[2], MPI_STATUS_IGNORE);
        assert(in[1] == 200 * other + round);
        MPI_Status statuses[4];
        MPI_Waitall(4, requests, statuses); /* one of them is inactive */
        assert(in[0] == 100 * other + round && statuses[3].MPI_SOURCE == other);
        assert(statuses[2].MPI_SOURCE == MPI_ANY_SOURCE && statuses[2].MPI_TAG == MPI_ANY_TAG);
    }
    for (int i = 0; i < 4; i++) MPI_Request_free(&requests[i]);
    void* detached;
    MPI_Buffer_detach(&detached, &count);
    assert(detached == buffer && count == (int)sizeof buffer);
    assert(MPI_Bsend(out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD) == MPI_SUCCESS);

    /* a receive that is cancelled */
    MPI_Irecv(in, 1, MPI_INT, other, 7, MPI_COMM_WORLD, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &flag);
    assert(flag);

    MPI_Finalize();
    return 0;
}
