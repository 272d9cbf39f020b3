/* DAMPI-TEST
 *   np: 2
 *   expect: sanitizer/thread
 *   interleavings: 1
 *   where: openmp_tasks.c:@
 * What a task writes is read before it is waited for. Twin: openmp_tasks_ok.
 */
#include <mpi.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sched.h>

static long written, seen;
static atomic_int arrived;

/* Both threads live when they meet, yet nothing is ordered by it. */
static void meet(int all) {
    atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
    while (atomic_load_explicit(&arrived, memory_order_relaxed) < all) {
        sched_yield();
    }
}

int main(void) {
    long all = 0;
    MPI_Init(NULL, NULL);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
            meet(2);
            written = 1; /*@*/
            meet(4);
        }
        meet(2);
        seen = written;
        meet(4);
    }
    MPI_Reduce(&seen, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
