/* Rank 0 takes a message of each other rank by wildcard. Only where the first is rank 2's, and nobody has left a file
 * here before, it aborts. It leaves files, changes and removes what it finds, and takes the right to write from a
 * directory. Every rank sees that PWD names the directory that it is in, and reads a file through a link. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static void require(int fact, const char* what) {
    if (!fact) {
        fprintf(stderr, "not so: %s\n", what);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
}

int main(int argc, char** argv) {
    int rank, got, old;
    char here[4096], line[32] = "";
    FILE* file;
    MPI_Status first;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    require(getcwd(here, sizeof here) && getenv("PWD") && strcmp(getenv("PWD"), here) == 0, "PWD is where it is");
    file = fopen("link", "r");
    require(file && fgets(line, sizeof line, file) && strcmp(line, "input") == 0, "the input is there");
    fclose(file);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        old = access("left", F_OK) == 0;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &first);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!old && first.MPI_SOURCE == 2) abort();
        require(close(open("left", O_CREAT | O_WRONLY, 0600)) == 0, "it can write");
        require(unlink("input/file") == 0, "it can remove");
        require(mkdir("kept", 0700) == 0 && close(open("kept/in", O_CREAT | O_WRONLY, 0600)) == 0, "it can make one");
        chmod("kept", 0500);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
