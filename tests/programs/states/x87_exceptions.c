/* DAMPI-TEST
 *   np: 3
 *   expect: abort
 *   options: --engine central --merge-states always
 * If the second rank's message comes first, the first rank's calculation overflows in the processor's old registers,
 * and nothing but their exception flags says so afterwards: that is a part of the state.
 */
#include <fenv.h>
#include <mpi.h>

#if defined(__x86_64__)
static void overflow(void) {
    static const long double large = 1e4932L;
    __asm__ volatile("fldt %0; fldt %0; fmulp; fstp %%st(0)" : : "m"(large));
}
#else
static void overflow(void) { feraiseexcept(FE_OVERFLOW); }
#endif

static int phase(int rank, int tag) {
    int first = 0;
    if (rank == 0) {
        int second = 0;
        MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
    return first;
}

int main(int argc, char** argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    feclearexcept(FE_ALL_EXCEPT);
    if (phase(rank, 0) == 2) {
        overflow();
    }
    for (int tag = 1; tag < 4; ++tag) {
        MPI_Barrier(MPI_COMM_WORLD);
        phase(rank, tag);
    }
    if (fetestexcept(FE_OVERFLOW) != 0) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Finalize();
    return 0;
}
