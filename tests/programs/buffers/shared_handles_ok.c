/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Small sends that complete at once have one and the same handle in MPICH, and each is waited for by itself: the memory
 * of one that is over is used again while others are pending, in whichever order they are completed or freed, and
 * also when the handles have changed places.
 */
#include <mpi.h>

enum { sends = 4 };

static int data[sends];

static void use_again(int i) {
    data[i] = 100 + i;
    MPI_Recv(&data[i], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_all(MPI_Request* requests) {
    for (int i = 0; i < sends; ++i) {
        data[i] = i;
        MPI_Isend(&data[i], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[i]);
    }
}

static void send_in_turn(void) {
    MPI_Request requests[sends];
    send_all(requests);
    for (int i = 0; i < sends; ++i) {
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        use_again(i);
    }
    send_all(requests);
    for (int i = sends - 1; i >= 0; --i) {
        MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        use_again(i);
    }
    send_all(requests);
    for (int left = sends, place[sends] = {0, 1, 2, 3}; left > 0; --left) {
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        use_again(place[0]);
        requests[0] = requests[left - 1];
        place[0] = place[left - 1];
    }
    send_all(requests);
    MPI_Request_free(&requests[2]);
    for (int i = 0; i < sends; ++i) {
        if (i != 2) {
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
            use_again(i);
        }
    }
    use_again(2);  // the answers have said that it is over
}

static void answer(int count) {
    for (int i = 0; i < count; ++i) {
        int received;
        MPI_Recv(&received, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < count; ++i) {
        MPI_Send(&i, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        send_in_turn();
    } else {
        for (int round = 0; round < 4; ++round) {
            answer(sends);
        }
    }
    MPI_Finalize();
    return 0;
}
