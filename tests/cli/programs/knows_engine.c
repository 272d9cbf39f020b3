// A program that does otherwise where the library that is called in the place of MPI is that of the centralized engine:
// what no program should, but stands for a model of MPI that is wrong. With "first": from the first run on, with
// "finding": only where rank 2's message comes first. With "slow" it takes its time there, with "stays" it
// never ends elsewhere.
#define _GNU_SOURCE
#include <mpi.h>
#include <string.h>
#include <dlfcn.h>
#include <unistd.h>

static int modelled(void) {
    Dl_info where;
    void* call = dlsym(RTLD_DEFAULT, "MPI_Recv");
    return call && dladdr(call, &where) && strstr(where.dli_fname, "central") != NULL;
}

int main(int argc, char** argv) {
    int rank, value;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(argv[1], "slow") && modelled()) {
        usleep(1500000);
    }
    while (!strcmp(argv[1], "stays") && !modelled()) {
        pause();
    }
    if (rank == 0) {
        MPI_Status first;
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &first);
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!strcmp(argv[1], "first") && !modelled()) {
            MPI_Abort(MPI_COMM_WORLD, 3);
        }
        if (!strcmp(argv[1], "finding") && first.MPI_SOURCE == 2 && modelled()) {
            MPI_Abort(MPI_COMM_WORLD, 4);
        }
        if (!strcmp(argv[1], "both") && first.MPI_SOURCE == 2) {
            MPI_Abort(MPI_COMM_WORLD, 5);
        }
    } else if (rank <= 2) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
