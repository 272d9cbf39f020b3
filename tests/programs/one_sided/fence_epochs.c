/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Accumulate
 *   interleavings: 1
 *   outcomes: {}
 * Fences with puts, gets and sums in between, on windows made in every way, with counts of both widths: the result is
 * complete. (MPICH 4.0.2 with UCX gives wrong results in windows on memory that is not aligned to 16 bytes, also
 * its own.)
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { N = 3 };

static int rank;

/* memory[0] gets the rank before, memory[1] the sum of all. */
static void exchange(MPI_Win win, int* memory, MPI_Aint base) {
    const int before = (rank + N - 1) % N, behind = (rank + 1) % N, one = rank + 1;
    int got = -1;
    memory[0] = memory[1] = 0;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(&rank, 1, MPI_INT, behind, base, 1, MPI_INT, win);
    for (int i = 0; i < N; i++) {
        if (rank == 0)
            MPI_Accumulate_c(&one, 1, MPI_INT, i, base + (MPI_Aint)sizeof(int), 1, MPI_INT, MPI_SUM, win);
        else
            MPI_Accumulate(&one, 1, MPI_INT, i, base + (MPI_Aint)sizeof(int), 1, MPI_INT, MPI_SUM, win);
    }
    MPI_Win_fence(0, win);
    assert(memory[0] == before && memory[1] == N * (N + 1) / 2);
    MPI_Get_c(&got, 1, MPI_INT, behind, base, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    assert(got == rank);
}

int main(void) {
    _Alignas(16) int memory_of[4], own[4];
    int* memory = memory_of;
    int size;
    MPI_Win win;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    assert(size == N);
    const MPI_Aint bytes = 4 * sizeof(int);
    MPI_Win_create(memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    exchange(win, memory, 0);
    MPI_Win_free(&win);
    MPI_Win_create_c(memory, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    exchange(win, memory, 0);
    MPI_Win_free(&win);
    MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    exchange(win, memory, 0);
    MPI_Win_free(&win);
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, copy, &memory, &win);
    MPI_Comm_free(&copy);
    exchange(win, memory, 0);
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Win_set_info(win, info);
    MPI_Info_free(&info);
    MPI_Win_free(&win);
    MPI_Win_create(own, sizeof own, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    assert(own[0] == rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
