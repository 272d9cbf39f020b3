#include <mpi.h>
#include <stddef.h>

/* A communicator of which the program says that it receives there by name and tag alone. */
int main(void) {
    int rank, got;
    MPI_Info promises;
    MPI_Comm named;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&promises);
    MPI_Info_set(promises, "mpi_assert_no_any_source", "true");
    MPI_Info_set(promises, "mpi_assert_no_any_tag", "true");
    MPI_Comm_dup_with_info(MPI_COMM_WORLD, promises, &named);
    MPI_Info_free(&promises);
    if (rank == 0) {
        MPI_Recv(&got, 1, MPI_INT, SOURCE, TAG, named, MPI_STATUS_IGNORE);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, named);
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Comm_free(&named);
    MPI_Finalize();
    return 0;
}
