/* An MPI program that ends in the way its argument says. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>

int main(int argc, char** argv) {
    int rank, size;
    const char* what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(what, "ring") == 0) {
        int token = rank, got = -1;
        MPI_Sendrecv(&token, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, (rank + size - 1) % size, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d of %d got %d\n", rank, size, got);
    }
    if (strcmp(what, "abort") == 0 && rank == 1) MPI_Abort(MPI_COMM_WORLD, 7);
    if (strcmp(what, "crash") == 0 && rank == 1) raise(SIGSEGV);
    if (strcmp(what, "leave") == 0 && rank == 1) exit(3);
    if (strcmp(what, "deadlock") == 0 || strcmp(what, "abort") == 0 || strcmp(what, "crash") == 0) {
        int got;
        MPI_Recv(&got, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (strcmp(what, "spawn") == 0) {
        MPI_Comm other;
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        char* commands[2] = {argv[0], argv[0]};
        int counts[2] = {1, 2};
        MPI_Info infos[2] = {MPI_INFO_NULL, MPI_INFO_NULL};
        int one =
            MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other, MPI_ERRCODES_IGNORE);
        int two = MPI_Comm_spawn_multiple(2, commands, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_SELF, &other,
                                          MPI_ERRCODES_IGNORE);
        if (one == MPI_SUCCESS || two == MPI_SUCCESS) return 1;
        printf("refused\n");
    }
    if (strcmp(what, "names") == 0 && rank == 0) {
        char port[MPI_MAX_PORT_NAME] = "a#port$";
        char found[MPI_MAX_PORT_NAME] = "";
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        if (MPI_Lookup_name("a service", MPI_INFO_NULL, found) == MPI_SUCCESS) return 1;
        if (MPI_Publish_name("a service", MPI_INFO_NULL, port) != MPI_SUCCESS) return 2;
        if (MPI_Lookup_name("a service", MPI_INFO_NULL, found) != MPI_SUCCESS || strcmp(found, port) != 0) return 3;
        if (MPI_Unpublish_name("a service", MPI_INFO_NULL, port) != MPI_SUCCESS) return 4;
        if (MPI_Lookup_name("a service", MPI_INFO_NULL, found) == MPI_SUCCESS) return 5;
    }
    MPI_Finalize();
    return 0;
}
