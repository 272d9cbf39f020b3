/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   interleavings: 1
 *   outcomes: {}
 * Derived datatypes: strided vectors, a struct at absolute addresses received with MPI_BOTTOM, a type with gaps in
 * a wildcard-free exchange.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Datatype column, record;
    int grid[3][4], count = -1;
    MPI_Status status;
    MPI_Type_vector(3, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    for (int i = 0; i < 12; i++) grid[i / 4][i % 4] = rank == 0 ? i : -1;
    if (rank == 0) MPI_Send(&grid[0][2], 1, column, 1, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Recv(&grid[0][1], 1, column, 0, 0, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, column, &count);
        assert(count == 1 && grid[0][1] == 2 && grid[1][1] == 6 && grid[2][1] == 10);
        assert(grid[0][0] == -1 && grid[0][2] == -1 && grid[2][2] == -1);
    }
    int number = rank == 0 ? 12 : 0;
    double weight = rank == 0 ? 2.5 : 0;
    char name[4] = {0, 0, 0, 0};
    if (rank == 0) name[0] = 'x', name[1] = 'y';
    const int lengths[3] = {1, 1, 4};
    const MPI_Datatype parts[3] = {MPI_INT, MPI_DOUBLE, MPI_CHAR};
    MPI_Aint places[3];
    MPI_Get_address(&number, &places[0]);
    MPI_Get_address(&weight, &places[1]);
    MPI_Get_address(name, &places[2]);
    MPI_Type_create_struct(3, lengths, places, parts, &record);
    MPI_Type_commit(&record);
    if (rank == 0) MPI_Send(MPI_BOTTOM, 1, record, 1, 1, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Request h;
        MPI_Irecv(MPI_BOTTOM, 1, record, 0, 1, MPI_COMM_WORLD, &h);
        MPI_Wait(&h, &status);
        MPI_Get_elements(&status, record, &count);
        assert(count == 6 && number == 12 && weight == 2.5 && name[0] == 'x' && name[1] == 'y' && name[2] == 0);
    }
    MPI_Type_free(&record);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
