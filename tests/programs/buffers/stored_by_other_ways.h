/* A column of a matrix comes again and again, by a persistent receive; then a message that a probe has found, one that
 * is cancelled, one whose request is freed and one that has come when MPI_Request_get_status says so. With WRONG 1 it
 * is wrong. */
#include <mpi.h>

enum { ROWS = 4, COLUMNS = 3, ROUNDS = 3 };

int main(int argc, char** argv) {
    int rank;
    double matrix[ROWS][COLUMNS] = {{0}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype column;
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    int number = 0;
    if (rank == 0) {
        MPI_Request request;
        MPI_Recv_init(&matrix[0][1], 1, column, 1, 0, MPI_COMM_WORLD, &request);
        for (int i = 0; i < ROUNDS; i++) {
            matrix[2][1] = -i;
            MPI_Start(&request);
            if (WRONG) matrix[2][1] = i + 1;
            matrix[2][2] = i;
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Request_free(&request);

        MPI_Message message;
        MPI_Mprobe(1, 1, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Imrecv(&number, 1, MPI_INT, &message, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        number = 0;

        MPI_Irecv(&number, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        number = 1;

        int later = 0, done;
        MPI_Irecv(&number, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Recv(&done, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* behind the other: that has come, too */
        number = 2;
        MPI_Irecv(&later, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &request);
        int flag = 0;
        while (!flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        later = 3;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        for (int i = 0; i < ROUNDS; i++) MPI_Send(&matrix[0][1], 1, column, 0, 0, MPI_COMM_WORLD);
        for (int tag = 1; tag <= 4; tag++) MPI_Send(&number, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
