/* DAMPI-TEST
 *   np: 4
 *   expect: clean
 *   central: refused MPI_File_close
 *   interleavings: 1
 * Several operations on a file, waited for together: MPICH's MPI_Testall, of which the layer else makes MPI_Waitall,
 * mostly ends one of the ranks here.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>

int main(void) {
    enum { operations = 10, length = 1638 };
    static int out[length], in[operations][length];
    int rank, code;
    char name[64];
    MPI_Request requests[operations];
    MPI_Status statuses[operations];
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int k = 0; k < length; k++) out[k] = rank * length + k;
    for (int round = 0; round < 5; round++) {
        snprintf(name, sizeof name, "independent_operations.%d.%d.tmp", rank, round);
        MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &file);
        for (int i = 0; i < operations; i++) MPI_File_iwrite(file, out, length, MPI_INT, &requests[i]);
        code = MPI_Waitall(operations, requests, statuses);
        assert(code == MPI_SUCCESS);
        MPI_File_seek(file, 0, MPI_SEEK_SET);
        for (int i = 0; i < operations; i++) MPI_File_iread(file, in[i], length, MPI_INT, &requests[i]);
        code = MPI_Waitall(operations, requests, statuses);
        assert(code == MPI_SUCCESS);
        for (int i = 0; i < operations; i++) {
            for (int k = 0; k < length; k++) assert(in[i][k] == out[k]);
        }
        MPI_File_close(&file);
    }
    MPI_Finalize();
    return 0;
}
