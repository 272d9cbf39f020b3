/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 *   args: 1000
 * Figure 2.3: pi by numerical integration with a broadcast and a reduction; the number of intervals is an argument.
 */
#include <assert.h>
#include <math.h>
#include <mpi.h>
#include <stddef.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int n, size;
    double pi = 0, sum = 0;
    assert(argc == 2);
    n = rank == 0 ? atoi(argv[1]) : 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    assert(n > 0);
    const double h = 1.0 / n;
    for (int i = rank + 1; i <= n; i += size) {
        const double x = h * (i - 0.5);
        sum += 4.0 / (1.0 + x * x);
    }
    const double mine = h * sum;
    MPI_Reduce(&mine, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) assert(fabs(pi - 3.14159265358979) < 1e-5);
    MPI_Finalize();
    return 0;
}
