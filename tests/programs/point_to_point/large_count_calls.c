/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 8
 *   outcomes: {0#0<-1 0#1<-1 0#2<-1} {0#0<-2 0#1<-1 0#2<-1} {0#0<-1 0#1<-2 0#2<-1} {0#0<-2 0#1<-2 0#2<-1}
 *     {0#0<-1 0#1<-1 0#2<-2} {0#0<-2 0#1<-1 0#2<-2} {0#0<-1 0#1<-2 0#2<-2} {0#0<-2 0#1<-2 0#2<-2}
 * All functions for large counts, in rounds of two messages: nonblocking, persistent and matched receives of any
 * source; then exchanges, and buffered sends.
 */
#include <assert.h>
#include <mpi.h>
#include <stdlib.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int got[2] = {-1, -1};
        MPI_Request h;
        MPI_Status s[2];
        MPI_Message m;
        MPI_Irecv_c(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, &s[0]);
        MPI_Recv_c(&got[1], 1, MPI_INT, 3 - got[0], 1, MPI_COMM_WORLD, &s[1]);
        assert(got[0] == s[0].MPI_SOURCE && got[1] == s[1].MPI_SOURCE && got[0] + got[1] == 3);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv_init_c(&got[0], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &h);
        MPI_Start(&h);
        MPI_Wait(&h, &s[0]);
        MPI_Request_free(&h);
        MPI_Recv(&got[1], 1, MPI_INT, 3 - got[0], 2, MPI_COMM_WORLD, &s[1]);
        assert(got[0] == s[0].MPI_SOURCE && got[1] == s[1].MPI_SOURCE && got[0] + got[1] == 3);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Mprobe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &m, &s[0]);
        MPI_Mrecv_c(&got[0], 1, MPI_INT, &m, MPI_STATUS_IGNORE);
        MPI_Mprobe(3 - got[0], 3, MPI_COMM_WORLD, &m, &s[1]);
        MPI_Imrecv_c(&got[1], 1, MPI_INT, &m, &h);
        MPI_Wait(&h, MPI_STATUS_IGNORE);
        assert(got[0] == s[0].MPI_SOURCE && got[1] == s[1].MPI_SOURCE && got[0] + got[1] == 3);
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        MPI_Request h[4];
        int i;
        if (rank == 1) {
            MPI_Ssend_c(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        } else {
            MPI_Isend_c(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &h[0]);
            MPI_Wait(&h[0], MPI_STATUS_IGNORE);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send_init_c(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, &h[0]);
        MPI_Ssend_init_c(&rank, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &h[1]);
        MPI_Rsend_init_c(&rank, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &h[2]);
        MPI_Bsend_init_c(&rank, 1, MPI_INT, MPI_PROC_NULL, 2, MPI_COMM_WORLD, &h[3]);
        MPI_Startall(4, h);
        MPI_Waitall(4, h, MPI_STATUSES_IGNORE);
        for (i = 0; i < 4; ++i) MPI_Request_free(&h[i]);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) {
            MPI_Issend_c(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &h[0]);
            MPI_Wait(&h[0], MPI_STATUS_IGNORE);
        } else {
            MPI_Count room = sizeof(int) + MPI_BSEND_OVERHEAD;
            void* buffer = malloc((size_t)room);
            MPI_Buffer_attach_c(buffer, room);
            MPI_Ibsend_c(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &h[0]);
            MPI_Wait(&h[0], MPI_STATUS_IGNORE);
            MPI_Buffer_detach_c(&buffer, &room);
            MPI_Bsend_c(&rank, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
            MPI_Rsend_c(&rank, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
            MPI_Irsend_c(&rank, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &h[0]);
            MPI_Wait(&h[0], MPI_STATUS_IGNORE);
            free(buffer);
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    {
        int mine = rank, other = -1;
        MPI_Sendrecv_c(&mine, 1, MPI_INT, (rank + 1) % 3, 4, &other, 1, MPI_INT, (rank + 2) % 3, 4, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
        assert(other == (rank + 2) % 3);
        MPI_Sendrecv_replace_c(&mine, 1, MPI_INT, (rank + 1) % 3, 5, (rank + 2) % 3, 5, MPI_COMM_WORLD,
                               MPI_STATUS_IGNORE);
        assert(mine == (rank + 2) % 3);
    }
    MPI_Finalize();
    return 0;
}
