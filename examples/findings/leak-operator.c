/* dampi-run -n 2 */
#include <mpi.h>

static void combine(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; ++i) {
        ((int*)inout)[i] |= ((int*)in)[i];
    }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int value = 1, both;
    MPI_Op operator;
    MPI_Op_create(combine, 1, &operator);
    MPI_Allreduce(&value, &both, 1, MPI_INT, operator, MPI_COMM_WORLD);
#ifdef MENDED
    MPI_Op_free(&operator);
#endif
    MPI_Finalize();
    return 0;
}
