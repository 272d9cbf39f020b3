/* DAMPI-TEST
 *   np: 1
 *   expect: clean
 *   interleavings: 1
 * A receive from MPI_PROC_NULL is complete at once and has the status that the standard prescribes (MPI 3.11), whatever
 * call tells of it. (MPICH itself leaves the source of nonblocking ones as it comes.)
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

static int value = 5;

static MPI_Status fresh(void) {
    MPI_Status status;
    MPI_Status_set_elements(&status, MPI_INT, 7);
    MPI_Status_set_cancelled(&status, 1);
    status.MPI_SOURCE = status.MPI_TAG = 77;
    return status;
}

static void check(MPI_Status* status) {
    int count = -1, cancelled = -1;
    MPI_Get_count(status, MPI_INT, &count);
    MPI_Test_cancelled(status, &cancelled);
    assert(status->MPI_SOURCE == MPI_PROC_NULL && status->MPI_TAG == MPI_ANY_TAG && count == 0 && !cancelled);
    assert(value == 5);
}

static void finish(MPI_Request h, int how) {
    MPI_Status status = fresh();
    int flag = 1, index = 0, count = 1;
    switch (how) {
        case 0:
            MPI_Wait(&h, &status);
            break;
        case 1:
            MPI_Waitall(1, &h, &status);
            break;
        case 2:
            MPI_Waitany(1, &h, &index, &status);
            break;
        case 3:
            MPI_Waitsome(1, &h, &count, &index, &status);
            break;
        case 4:
            MPI_Test(&h, &flag, &status);
            break;
        case 5:
            MPI_Testall(1, &h, &flag, &status);
            break;
        case 6:
            MPI_Testany(1, &h, &index, &flag, &status);
            break;
        case 7:
            MPI_Testsome(1, &h, &count, &index, &status);
            break;
        default:
            MPI_Request_get_status(h, &flag, &status);
            check(&status);
            status = fresh();
            MPI_Wait(&h, &status);
    }
    assert(flag && index == 0 && count == 1);
    check(&status);
}

int main(void) {
    int flag = 0;
    MPI_Init(NULL, NULL);
    const MPI_Comm w = MPI_COMM_WORLD;
    MPI_Status status = fresh();
    MPI_Message message;
    MPI_Request h;
    for (int how = 0; how < 9; how++) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, w, &h);
        finish(h, how);
        MPI_Recv_init(&value, 1, MPI_INT, MPI_PROC_NULL, 0, w, &h);
        for (int i = 0; i < 2; i++) {
            MPI_Start(&h);
            finish(h, how);
        }
        MPI_Request_free(&h);
        message = MPI_MESSAGE_NO_PROC;
        MPI_Imrecv(&value, 1, MPI_INT, &message, &h);
        finish(h, how);
    }
    MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, w, &status);
    check(&status);
    status = fresh();
    MPI_Probe(MPI_PROC_NULL, 0, w, &status);
    check(&status);
    status = fresh();
    MPI_Iprobe(MPI_PROC_NULL, 0, w, &flag, &status);
    assert(flag);
    check(&status);
    status = fresh();
    MPI_Mprobe(MPI_PROC_NULL, 0, w, &message, &status);
    check(&status);
    assert(message == MPI_MESSAGE_NO_PROC);
    status = fresh();
    MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
    check(&status);
    MPI_Finalize();
    return 0;
}
