/* DAMPI-TEST
 *   np: 2
 *   expect: argument/datatype
 *   where: view_types.c:@
 *   central: refused MPI_File_close
 * A collective writes pairs of an integer and a number in the other order than the etype of the view has them: as many
 * bytes, which MPICH does not look at. Twin: view_types_ok.
 */
#include <mpi.h>

int main(int argc, char** argv) {
    struct {
        int key;
        float value;
    } pairs[2] = {{1, 1}, {2, 2}};
    int rank;
    MPI_File file;
    MPI_Datatype etype, other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, &etype);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_FLOAT, MPI_INT}, &other);
    MPI_Type_commit(&etype);
    MPI_Type_commit(&other);
    MPI_File_open(MPI_COMM_WORLD, "view_types.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, etype, etype, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(file, 2 * rank, pairs, 2, etype, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, 2 * rank, pairs, 2, other, MPI_STATUS_IGNORE); /*@*/
    MPI_File_close(&file);
    MPI_Type_free(&etype);
    MPI_Type_free(&other);
    MPI_Finalize();
    return 0;
}
