#include <mpi.h>

int main(void) {
    int provided;
    return MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
}
