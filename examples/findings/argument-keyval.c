/* dampi-run -n 2 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int key, value = 1;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
#ifndef MENDED
    MPI_Comm_free_keyval(&key); /* makes it MPI_KEYVAL_INVALID */
#endif
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &value);
#ifdef MENDED
    MPI_Comm_free_keyval(&key);
#endif
    MPI_Finalize();
    return 0;
}
