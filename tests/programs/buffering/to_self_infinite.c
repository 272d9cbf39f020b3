/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   options: --no-message-leaks --buffering infinite
 * Messages to oneself that are sent before they are received, in every way, on communicators of one process and of
 * several, small and large, contiguous and not; some are never received.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { most = 30000 };
static int out[2 * most], in[2 * most];

static void expect(int count, int stride, int first) {
    for (int i = 0; i < count; i++) assert(in[i * stride] == first + i);
}

static void fill(int count, int stride, int first) {
    for (int i = 0; i < count; i++) out[i * stride] = first + i;
}

static void exchange(MPI_Comm comm, int self, int count, int stride) {
    MPI_Datatype type;
    MPI_Request request, persistent;
    MPI_Status status;
    int received;
    MPI_Type_vector(count, 1, stride, MPI_INT, &type);
    MPI_Type_commit(&type);

    fill(count, stride, 10);
    MPI_Send(out, 1, type, self, 1, comm);
    fill(count, stride, 20);
    MPI_Isend(out, 1, type, self, 1, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send_init(out, 1, type, self, 1, comm, &persistent);
    for (int round = 0; round < 2; round++) {
        fill(count, stride, 30 + 10 * round);
        MPI_Start(&persistent);
        MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&persistent);
    fill(count, stride, 50);
    // Receives the first message and leaves its own for later.
    MPI_Sendrecv(out, 1, type, self, 1, in, 1, type, self, 1, comm, &status);
    MPI_Get_count(&status, type, &received);
    assert(received == 1);
    expect(count, stride, 10);
    fill(count, stride, 0);
    for (int first = 20; first <= 50; first += 10) {
        MPI_Recv(in, 1, type, self, 1, comm, &status);
        expect(count, stride, first);
    }
    MPI_Send(out, 1, type, self, 2, comm);  // never received
    MPI_Type_free(&type);
}

int main(void) {
    int rank;
    MPI_Comm one;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &one);
    for (int count = 1; count <= most; count += most - 1) {
        for (int stride = 1; stride <= 2; stride++) {
            exchange(MPI_COMM_WORLD, rank, count, stride);
            exchange(MPI_COMM_SELF, 0, count, stride);
            exchange(one, 0, count, stride);
        }
    }
    MPI_Comm_free(&one);
    MPI_Finalize();
    return 0;
}
