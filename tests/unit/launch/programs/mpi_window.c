/* An MPI program that can see which ranks share a node. */
#include <mpi.h>

int main(int argc, char** argv) {
    MPI_Comm node;
    int size, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &size);
    MPI_Comm_size(MPI_COMM_WORLD, &all);
    MPI_Comm_free(&node);
    MPI_Finalize();
    return size == all ? 0 : 1;
}
