/* Windows: accessed between fences, or with LOCKS under a lock, or with SHARED by whoever shares memory. */
#include <mpi.h>

int main(int argc, char** argv) {
    int* memory;
    MPI_Win window;
    MPI_Init(&argc, &argv);
#ifdef SHARED
    MPI_Win_allocate_shared(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_SELF, &memory, &window);
#else
    MPI_Win_allocate(sizeof *memory, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
#endif
    MPI_Win_fence(0, window);
    *memory = 0;
    MPI_Win_fence(0, window);
#ifdef LOCKS
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Win_unlock(0, window);
#endif
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
