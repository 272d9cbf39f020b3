/* clang-format off */
/* One rank never gets to MPI_Init, and another waits for it there.
 * np: 2
 * SITUATION 0: outside MPI; libc < reading < main
 * SITUATION 1: MPI_Init() at main; main
 */
/* clang-format on */
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static int reading(void) {
    int ends[2];
    char byte = 0;
    if (pipe(ends) != 0 || read(ends[0], &byte, 1) != 1) {
        return 1;
    }
    return byte;
}

int main(int argc, char** argv) {
    int result = 0;
    if (atoi(getenv("PMI_RANK")) == 0) {
        result = reading();
    }
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return result;
}
