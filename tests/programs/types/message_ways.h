/* Ways to send and to receive, all with numbers of four bytes. With the argument 1 they are sent as other numbers. */
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

enum { ways = 7 };

static void send(int way, int peer, MPI_Datatype type) {
    static char room[1024];
    static int number[4];
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    int size;
    void* attached;
    switch (way) {
        case 0:
            MPI_Send(number, 4, type, peer, way, MPI_COMM_WORLD);
            break;
        case 1:
            MPI_Ssend(number, 4, type, peer, way, MPI_COMM_WORLD);
            break;
        case 2:
            MPI_Isend(number, 4, type, peer, way, MPI_COMM_WORLD, &request);
            break;
        case 3:
            MPI_Send_init(number, 4, type, peer, way, MPI_COMM_WORLD, &request);
            MPI_Start(&request);
            MPI_Wait(&request, &status);
            MPI_Request_free(&request);
            break;
        case 4:
            MPI_Buffer_attach(room, sizeof room);
            MPI_Bsend(number, 4, type, peer, way, MPI_COMM_WORLD);
            MPI_Buffer_detach(&attached, &size);
            break;
        case 5:
            MPI_Sendrecv(number, 4, type, peer, way, NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
            break;
        default:
            MPI_Sendrecv_replace(number, 4, type, peer, way, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    }
    if (request != MPI_REQUEST_NULL) {
        MPI_Wait(&request, &status);
    }
}

static void receive(int way, int peer) {
    static int number[8];
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Status status;
    MPI_Message message;
    int flag = 0;
    switch (way) {
        case 0:
            MPI_Recv(number, 8, MPI_INT, peer, way, MPI_COMM_WORLD, &status);
            break;
        case 1:
            MPI_Irecv(number, 8, MPI_INT, MPI_ANY_SOURCE, way, MPI_COMM_WORLD, &request);
            break;
        case 2:
            MPI_Recv_init(number, 8, MPI_INT, peer, way, MPI_COMM_WORLD, &request);
            MPI_Start(&request);
            MPI_Wait(&request, &status);
            MPI_Request_free(&request);
            break;
        case 3:
            MPI_Mprobe(peer, way, MPI_COMM_WORLD, &message, &status);
            MPI_Mrecv(number, 8, MPI_INT, &message, &status);
            break;
        case 4:
            MPI_Mprobe(peer, way, MPI_COMM_WORLD, &message, &status);
            MPI_Imrecv(number, 8, MPI_INT, &message, &request);
            break;
        case 5:
            while (!flag) {
                MPI_Iprobe(peer, way, MPI_COMM_WORLD, &flag, &status);
            }
            MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, number, 8, MPI_INT, peer, way, MPI_COMM_WORLD, &status);
            break;
        default:
            MPI_Sendrecv_replace(number, 4, MPI_INT, MPI_PROC_NULL, 0, peer, way, MPI_COMM_WORLD, &status);
    }
    if (request != MPI_REQUEST_NULL) {
        MPI_Wait(&request, &status);
    }
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int way = 0; way < ways; way++) {
        if (rank == 0) {
            receive(way, 1);
        } else {
            send(way, 0, atoi(argv[1]) ? MPI_FLOAT : MPI_INT);
        }
    }
    MPI_Finalize();
    return 0;
}
