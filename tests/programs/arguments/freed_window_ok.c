/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_Win_allocate
 *   interleavings: 1
 *   outcomes: {}
 * The twin of freed_window: the copy is used while there is the window, and once more when it is that of a new one.
 */
#include <mpi.h>

#ifndef USES_LATE
#define USES_LATE 0
#endif

static MPI_Win window, copy;

static void make(void) {
    int* memory;
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
}

static void use(void) { MPI_Win_fence(0, copy); }

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    make();
    copy = window;
    use();
    MPI_Win_free(&window);
    if (USES_LATE) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        use();
    }
    make();
    if (copy == window) {
        use();
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
