#include <mpi.h>
#include <stddef.h>

enum { right, between, twice, no_begin, other_end, no_end, view_between };

int main(void) {
    int rank, values[2] = {0}, others[2] = {0};
    MPI_File file;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    if (WRONG != no_begin) MPI_File_write_at_all_begin(file, 8 * rank, values, 2, MPI_INT);
    if (WRONG == between) MPI_File_write_at_all(file, 8 * rank, others, 2, MPI_INT, MPI_STATUS_IGNORE);
    if (WRONG == twice) MPI_File_write_at_all_begin(file, 8 * rank, others, 2, MPI_INT);
    if (WRONG == view_between) MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 8 * rank, others, 0, MPI_INT, MPI_STATUS_IGNORE);
    if (WRONG == other_end)
        MPI_File_write_all_end(file, values, MPI_STATUS_IGNORE);
    else if (WRONG != no_end)
        MPI_File_write_at_all_end(file, values, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file, 8 * rank, WRONG == no_end ? others : values, 2, MPI_INT);
    MPI_File_read_at_all_end(file, WRONG == no_end ? others : values, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
