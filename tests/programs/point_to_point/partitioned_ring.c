/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_Pready
 *   interleavings: 1
 * Three rounds around a ring, the partitions made ready one by one, in a range, and from a list.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { partitions = 4, count = 5 };

int main(void) {
    int rank, out[partitions * count], in[partitions * count];
    MPI_Request h[2];
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Psend_init(out, partitions, count, MPI_INT, (rank + 1) % 3, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &h[0]);
    MPI_Precv_init(in, partitions, count, MPI_INT, (rank + 2) % 3, 7, MPI_COMM_WORLD, MPI_INFO_NULL, &h[1]);
    for (int round = 0; round < 3; ++round) {
        int some[2] = {3, 1};
        MPI_Status s[2];
        for (int i = 0; i < partitions * count; ++i) in[i] = -1;
        MPI_Startall(2, h);
        for (int i = 0; i < partitions * count; ++i) out[i] = 1000 * round + 100 * rank + i;
        if (round == 0) {
            for (int i = partitions; i-- > 0;) MPI_Pready(i, h[0]);
        } else if (round == 1) {
            MPI_Pready_range(0, partitions - 1, h[0]);
        } else {
            MPI_Pready_list(2, some, h[0]);
            MPI_Pready(0, h[0]);
            MPI_Pready(2, h[0]);
        }
        MPI_Waitall(2, h, s);
        assert(s[1].MPI_SOURCE == (rank + 2) % 3 && s[1].MPI_TAG == 7);
        for (int i = 0; i < partitions * count; ++i) assert(in[i] == 1000 * round + 100 * ((rank + 2) % 3) + i);
    }
    MPI_Request_free(&h[0]);
    MPI_Request_free(&h[1]);
    MPI_Finalize();
    return 0;
}
