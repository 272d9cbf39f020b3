/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {1#0=1 1#1=1 1#2=1 1#3=1 1#4=1 1#5=1 1#6=1 1#7=1 1#8=1 1#9=1 1#10=1}
 * Rank 0 enters each collective only after a message that rank 1 sends behind its MPI_Waitany, and rank 1 needs rank 0:
 * so that can only report the send. Compare waitany_collective_alone.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { to_rank_1 = 1, kinds = 11 };

static MPI_Comm ring;
static int in[2], out[2];

static void start(int kind, MPI_Request* h) {
    const MPI_Comm w = MPI_COMM_WORLD;
    switch (kind) {
        case 0:
            MPI_Ibarrier(w, h);
            break;
        case 1:
            MPI_Ibcast(in, 1, MPI_INT, 0, w, h);
            break;
        case 2:
            MPI_Igather(out, 1, MPI_INT, in, 1, MPI_INT, to_rank_1, w, h);
            break;
        case 3:
            MPI_Iscatter(out, 1, MPI_INT, in, 1, MPI_INT, 0, w, h);
            break;
        case 4:
            MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, w, h);
            break;
        case 5:
            MPI_Ireduce(out, in, 1, MPI_INT, MPI_SUM, to_rank_1, w, h);
            break;
        case 6:
            MPI_Iallreduce(out, in, 1, MPI_INT, MPI_SUM, w, h);
            break;
        case 7:
            MPI_Iscan(out, in, 1, MPI_INT, MPI_SUM, w, h);
            break;
        case 8:
            MPI_Ineighbor_allgather(out, 1, MPI_INT, in, 1, MPI_INT, ring, h);
            break;
        case 9:
            MPI_Barrier_init(w, MPI_INFO_NULL, h);
            MPI_Start(h);
            break;
        default:
            MPI_Bcast_init(in, 1, MPI_INT, 0, w, MPI_INFO_NULL, h);
            MPI_Start(h);
    }
}

int main(void) {
    int rank, size = 2, periodic = 1, word = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
    for (int kind = 0; kind < kinds; kind++) {
        MPI_Request h[2];
        if (rank == 0) {
            MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            start(kind, &h[0]);
        } else {
            int which = MPI_UNDEFINED;
            start(kind, &h[0]);
            MPI_Isend(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &h[1]);
            MPI_Waitany(2, h, &which, MPI_STATUS_IGNORE);
            assert(which == 1);
            MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
        MPI_Wait(&h[0], MPI_STATUS_IGNORE);
        if (h[0] != MPI_REQUEST_NULL) MPI_Request_free(&h[0]);
    }
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
