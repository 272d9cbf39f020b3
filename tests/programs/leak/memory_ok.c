/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 * Memory of MPI_Alloc_mem is freed: at once, in another order, at the end, where MPI runs what the program has hung on
 * MPI_COMM_SELF, and none where none was asked for. Twin of memory.
 */
#include <mpi.h>
#include <stddef.h>

static int give_back(MPI_Comm comm, int key, void* value, void* extra) {
    (void)comm, (void)key, (void)extra;
    return MPI_Free_mem(value);
}

int main(int argc, char** argv) {
    int rank, key;
    void *first, *second, *third, *none;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        MPI_Alloc_mem(100, MPI_INFO_NULL, &first);
        MPI_Alloc_mem(200, MPI_INFO_NULL, &second);
        MPI_Free_mem(first);
        MPI_Free_mem(second);
    }
    MPI_Alloc_mem(0, MPI_INFO_NULL, &none);
    MPI_Alloc_mem(300, MPI_INFO_NULL, &third);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, give_back, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, third);
    MPI_Comm_free_keyval(&key);
    MPI_Finalize();
    return 0;
}
