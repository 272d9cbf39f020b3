/* DAMPI-TEST
 *   np: 6
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Three groups make an intercommunicator with each other one, the pairs in the same order everywhere; with the leaders
 * on a duplicate, and the higher rank of each group as its leader. Twin: intercomm_order.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, size, made = 0;
    MPI_Comm all, part, inter;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int group = rank / 2;
    MPI_Comm_dup(MPI_COMM_WORLD, &all);
    MPI_Comm_split(MPI_COMM_WORLD, group, rank, &part);
    for (int low = 0; low < 3; low++) {
        for (int high = low + 1; high < 3; high++) {
            if (group != low && group != high) continue;
            const int other = group == low ? high : low;
            MPI_Intercomm_create(part, 1, rank % 2 == 1 ? all : MPI_COMM_NULL, rank % 2 == 1 ? 2 * other + 1 : -1, 12,
                                 &inter);
            MPI_Comm_remote_size(inter, &size);
            assert(size == 2);
            MPI_Barrier(inter);
            MPI_Comm_free(&inter);
            made++;
        }
    }
    assert(made == 2);
    MPI_Comm_free(&part);
    MPI_Comm_free(&all);
    MPI_Finalize();
    return 0;
}
