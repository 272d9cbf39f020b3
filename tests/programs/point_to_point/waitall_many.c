/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 2
 *   outcomes: {0#0<-1 0#1<-2} {0#0<-2 0#1<-1}
 * MPI_Waitall of many requests, with and without statuses: receives that do not stand in the order in which they were
 * posted, of which the last one in the array completes first, or last; sends among them; and with a receive pending
 * that is not waited for.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { MOST = 100 };

static int data[MOST];
static MPI_Request requests[MOST];
static MPI_Status statuses[MOST];

/* Message i comes from rank 1 + i % 2 with tag i; where it stands in the array. */
static int place(int i, int count, int turned) { return turned ? count - 1 - i : (i * 7) % count; }

static void receive(int count, int turned, int with_statuses) {
    for (int i = 0; i < count; i++) {
        data[i] = -1;
        MPI_Irecv(&data[i], 1, MPI_INT, 1 + i % 2, i, MPI_COMM_WORLD, &requests[place(i, count, turned)]);
    }
    MPI_Waitall(count, requests, with_statuses ? statuses : MPI_STATUSES_IGNORE);
    for (int i = 0; i < count; i++) {
        assert(data[i] == count + i && requests[place(i, count, turned)] == MPI_REQUEST_NULL);
        if (with_statuses) {
            const MPI_Status* status = &statuses[place(i, count, turned)];
            assert(status->MPI_SOURCE == 1 + i % 2 && status->MPI_TAG == i);
        }
    }
}

static void send(int rank, int count, int descending) {
    int sent = 0;
    for (int k = 0; k < count; k++) {
        const int i = descending ? count - 1 - k : k;
        if (1 + i % 2 != rank) continue;
        data[i] = count + i;
        MPI_Isend(&data[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[sent++]);
    }
    MPI_Waitall(sent, requests, MPI_STATUSES_IGNORE);
}

int main(void) {
    /* Fewer and more than there is room for without the heap. */
    static const int counts[] = {2, 9, 33, MOST};
    int rank, first, second;
    MPI_Request pending;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int how = 0; how < 8; how++)
            if (rank == 0)
                receive(counts[k], how & 1, how & 2);
            else
                send(rank, counts[k], how & 4);
    if (rank == 0) {
        MPI_Irecv(&first, 1, MPI_INT, MPI_ANY_SOURCE, MOST, MPI_COMM_WORLD, &pending);
        receive(33, 0, 1);
        MPI_Wait(&pending, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, MOST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        assert(first + second == 3);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, MOST, MPI_COMM_WORLD);
        send(rank, 33, 1);
    }
    MPI_Finalize();
    return 0;
}
