/* Two interleavings with 3 ranks. In one of them rank 0 looks for functions that the program does not import and the
   centralized engine does not model, and calls them. */
#define _GNU_SOURCE
#include <mpi.h>
#include <dlfcn.h>

typedef int Create(void*, MPI_Aint, int, MPI_Info, MPI_Comm, MPI_Win*);
typedef int Free(MPI_Win*);

int main(int argc, char** argv) {
    int rank, first, second;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (first == 2) {
            int shared[4];
            MPI_Win window;
            Create* create = (Create*)dlsym(RTLD_DEFAULT, "MPI_Win_create");
            Free* free_window = (Free*)dlsym(RTLD_DEFAULT, "MPI_Win_free");
            create(shared, sizeof shared, 1, MPI_INFO_NULL, MPI_COMM_SELF, &window);
            free_window(&window);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
