/* DAMPI-TEST
 *   np: 2
 *   expect: clean
 *   central: refused MPI_File_close
 * Data that fits the file's view: as its etype, spelled out, with gaps in memory, as bytes, as a type of the same kind
 * with another name, nothing at all; any where the view has bytes, or none was set. Twin of view_types.
 */
#include <mpi.h>

static void open_file(MPI_File* file) {
    MPI_File_open(MPI_COMM_WORLD, "view_types_ok.tmp", MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, file);
}

int main(int argc, char** argv) {
    static double numbers[16];
    static char text[64];
    int rank, pairs[2] = {1, 2};
    MPI_File file;
    MPI_Request request;
    MPI_Datatype etype, spread, spelled;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){MPI_INT, MPI_FLOAT}, &etype);
    MPI_Type_create_struct(4, (int[]){1, 1, 1, 1}, (MPI_Aint[]){0, 4, 16, 20},
                           (MPI_Datatype[]){MPI_INT32_T, MPI_FLOAT, MPI_INT, MPI_FLOAT}, &spelled);
    MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &spread);
    MPI_Type_commit(&etype);
    MPI_Type_commit(&spelled);
    MPI_Type_commit(&spread);
    open_file(&file);
    MPI_File_write_at(file, 64 * rank, numbers, 2, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_write_at(file, 64 * rank, pairs, 2, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, 0, etype, etype, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(file, 4 * rank, numbers, 2, etype, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, 4 * rank, numbers, 1, spelled, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, 4 * rank, text, 16, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
    MPI_File_write_at(file, 2 * rank, numbers, 1, spread, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(file, 2 * rank, numbers, rank, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_write_at(file, 2 * rank, text, 0, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_write_at(file, 64 * rank, pairs, 2, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    open_file(&file);
    MPI_File_write_at(file, 64 * rank, text, 8, MPI_CHAR, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&etype);
    MPI_Type_free(&spelled);
    MPI_Type_free(&spread);
    MPI_Finalize();
    return 0;
}
