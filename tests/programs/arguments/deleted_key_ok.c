/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * The twin of deleted_key.
 */
#include <mpi.h>
#include <stddef.h>

int main(void) {
    MPI_Info info;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Info_delete(info, "key");
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
