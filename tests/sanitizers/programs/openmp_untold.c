/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   interleavings: 1
 * Nobody tells ThreadSanitizer what a taskloop orders, so that this conflict may be none. Twin: openmp_untold_ok.
 */
#include <mpi.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sched.h>

enum { threads = 2 };

static double data[threads], sums[threads];
static atomic_int arrived;

/* Both threads live when they meet, yet nothing is ordered by it. */
static void meet(int all) {
    atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
    while (atomic_load_explicit(&arrived, memory_order_relaxed) < all) {
        sched_yield();
    }
}

__attribute__((noinline)) static void work(int me) {
    meet(threads);
    if (me == 0) {
        sums[me] = data[1];
    } else {
        data[me] = me;
    }
    meet(2 * threads);
}

__attribute__((noinline)) static void scale(void) {
#pragma omp parallel num_threads(1)
#pragma omp taskloop
    for (int i = 0; i < threads; ++i) {
        data[i] *= 2;
    }
}

int main(void) {
    double all = 0;
    MPI_Init(NULL, NULL);
    scale();
    omp_set_dynamic(0);
#pragma omp parallel num_threads(threads)
    {
#pragma omp barrier
        work(omp_get_thread_num());
    }
    MPI_Reduce(&sums[0], &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
