/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 * All that OpenMP orders: regions, barriers, what is done by one thread alone, locks. Twin of openmp_race.
 */
#include <mpi.h>
#include <omp.h>
#include <stdlib.h>

enum { threads = 4, elements = 64 };

static double data[elements], sums[threads];
static long counted, noted, listed[elements], used, guarded, total;

__attribute__((noinline)) static void work(int round) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    for (int i = 0; i < elements; ++i) {
        data[i] = i + round;
    }
    used = 0;
#pragma omp parallel num_threads(threads)
    {
        int me = omp_get_thread_num(), given;
        sums[me] = data[me];
#pragma omp barrier
        sums[me] += data[(me + 1) % threads];
#pragma omp barrier
        data[me] = sums[(me + 1) % threads];
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (int i = 0; i < elements; ++i) {
            data[i] += 1;
        }
#pragma omp for schedule(guided) ordered
        for (int i = 0; i < elements; ++i) {
            data[elements - 1 - i] += 1;
#pragma omp ordered
            listed[used++] = i;
        }
#pragma omp critical
        ++counted;
#pragma omp critical(named)
        ++noted;
#pragma omp single
        data[0] = 1;
        data[me + 10] += data[0];
#pragma omp single copyprivate(given)
        {
            data[1] = 2;
            given = round;
        }
        data[me + 2] = given;
#pragma omp sections
        {
#pragma omp section
            data[20] = 1;
#pragma omp section
            data[21] = 1;
        }
        sums[me] += data[20] + data[21];
        omp_set_lock(&lock);
        ++guarded;
        omp_unset_lock(&lock);
        omp_set_nest_lock(&nest);
        total += me;
        omp_unset_nest_lock(&nest);
    }
    for (int i = 0; i < elements; ++i) {
        total += (long)data[i];
    }
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < elements; ++i) {
        data[elements - 1 - i] = 0;
    }
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
}

int main(void) {
    int rank;
    double all = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    omp_set_dynamic(0);
    for (int round = 0; round < 20; ++round) {
        work(round);
    }
    MPI_Reduce(&data[rank], &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return counted == 20 * threads ? EXIT_SUCCESS : EXIT_FAILURE;
}
