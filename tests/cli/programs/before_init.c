/* What main may do before MPI_Init, by the first argument; then rank 0 receives one message of each of the others. What
 * was found out before must be right in each rank. */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char* what = "";

static int does(const char* action) { return strcmp(what, action) == 0; }

int main(int argc, char** argv) {
    int rank, size, provided = MPI_THREAD_SINGLE, draws = 0;
    pid_t pid = 0;
    time_t then = 0;
    const char* rank_text = NULL;
    double* kept = malloc(1000 * sizeof *kept);
    if (argc > 1) what = argv[1];
    for (int i = 0; i < 1000; ++i) kept[i] = i;
    if (does("print")) printf("before\n");
    if (does("flush")) printf("before\n"), fflush(stdout);
    if (does("complain")) fprintf(stderr, "before\n");
    if (does("pid")) pid = getpid();
    if (does("time")) then = time(NULL);
    if (does("file")) fclose(fopen("/dev/null", "r"));
    if (does("look")) draws = access("/dev/null", R_OK);
    if (does("rank")) rank_text = getenv("PMI_RANK");
    if (does("version")) MPI_Get_library_version((char[MPI_MAX_LIBRARY_VERSION_STRING]){0}, &draws);
    if (does("leave")) return 3;
    if (does("crash")) abort();
    srand(1);
    draws = rand();
    if (does("threads")) {
        MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
        assert(provided == MPI_THREAD_FUNNELED);
    } else {
        MPI_Init(&argc, &argv);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    assert(kept[999] == 999 && draws != 0 && size == 3);
    assert(!does("pid") || pid == getpid());
    assert(!does("time") || time(NULL) - then < 60);
    assert(!does("rank") || (rank_text != NULL && atoi(rank_text) == rank));
    assert(getenv("PMI_RANK") != NULL && atoi(getenv("PMI_RANK")) == rank);
    kept[0] = rank;
    if (does("later")) fclose(fopen("/dev/null", "r"));
    if (rank == 0) {
        for (int i = 1; i < size; ++i) {
            MPI_Status status;
            MPI_Recv(&kept[1], 1, MPI_DOUBLE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
            assert(kept[1] == status.MPI_SOURCE);
        }
    } else {
        MPI_Send(kept, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    printf("rank %d\n", rank);
    free(kept);
    return 0;
}
