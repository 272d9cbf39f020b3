/* DAMPI-TEST
 *   np: 2
 *   expect: argument/info
 *   interleavings: 1
 *   outcomes: {}
 *   where: deleted_key.c:@
 * A key is deleted that the info object does not have. Twin: deleted_key_ok.
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
    MPI_Info_delete(info, "kay"); /*@*/
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
