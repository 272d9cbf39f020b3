/* dampi-run -n 2 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
#ifdef MENDED
    MPI_Comm_free_keyval(&key);
#endif
    MPI_Finalize();
    return 0;
}
