/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * Tasks with data of their own, that wait for each other, and are waited for. Twin of openmp_tasks.
 */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { threads = 4, elements = 64 };

static long chained[elements], total;

__attribute__((noinline)) static void work(void) {
#pragma omp parallel num_threads(threads)
#pragma omp single nowait
    {
        for (int i = 0; i < elements; ++i) {
            double here[3] = {i, i, i};
#pragma omp task firstprivate(here, i)
            {
                memset(here, 0, sizeof here);
                chained[i] = i + (long)here[1];
            }
        }
#pragma omp taskwait
        for (int i = 1; i < elements; ++i) {
#pragma omp task depend(in : chained[i - 1]) depend(inout : chained[i])
            chained[i] += chained[i - 1];
        }
#pragma omp taskgroup
        {
#pragma omp task if (0)
            chained[0] += 0;
#pragma omp task depend(inout : chained[0])
            chained[0] += 0;
        }
        ++chained[0];
    }
    for (int i = 0; i < elements; ++i) {
        total += chained[i];
    }
}

int main(void) {
    long all = 0;
    MPI_Init(NULL, NULL);
    omp_set_dynamic(0);
    for (int round = 0; round < 20; ++round) {
        work();
    }
    MPI_Reduce(&total, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
