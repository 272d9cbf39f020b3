/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   central: refused MPI_File_close
 *   interleavings: 1
 *   outcomes: {}
 * The collectives on a file and what is local in between, with what was written read again: the result is complete.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static int rank, values[2], place;
static MPI_File file;
static MPI_Status status;

static void fill(int with) { values[0] = values[1] = with; }

static void check(int expected) {
    int count = 0;
    MPI_Get_count(&status, MPI_INT, &count);
    assert(count == 2 && values[0] == expected && values[1] == expected);
    fill(-1);
}

int main(void) {
    char name[64];
    int pid = 0;
    MPI_Info info;
    MPI_Request request;
    MPI_Offset size = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) pid = (int)getpid();
    MPI_Bcast(&pid, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(name, sizeof name, "collective_io.%d.tmp", pid);
    place = 2 * rank;

    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_set_size(file, 0);
    MPI_File_preallocate(file, 6 * sizeof(int));
    MPI_File_get_info(file, &info);
    MPI_File_set_info(file, info);
    MPI_Info_free(&info);

    fill(rank);
    MPI_File_write_at_all(file, place, values, 2, MPI_INT, &status);
    MPI_File_read_at_all_c(file, place, values, 2, MPI_INT, &status);
    check(rank);
    MPI_File_seek(file, place, MPI_SEEK_SET);
    fill(10 + rank);
    MPI_File_write_all_c(file, values, 2, MPI_INT, &status);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_read_at(file, (place + 2) % 6, values, 2, MPI_INT, &status);
    check(10 + (rank + 1) % 3);
    MPI_Barrier(MPI_COMM_WORLD);
    fill(20 + rank);
    MPI_File_iwrite_at(file, place, values, 2, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_iread_at_all(file, place, values, 2, MPI_INT, &request);
    MPI_Wait(&request, &status);
    check(20 + rank);
    fill(30 + rank);
    MPI_File_write_at_all_begin(file, place, values, 2, MPI_INT);
    MPI_File_write_at_all_end(file, values, &status);
    MPI_File_seek(file, place, MPI_SEEK_SET);
    MPI_File_read_all_begin_c(file, values, 2, MPI_INT);
    MPI_File_read_all_end(file, values, &status);
    check(30 + rank);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    fill(40 + rank);
    MPI_File_write_ordered(file, values, 2, MPI_INT, &status);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered_begin(file, values, 2, MPI_INT);
    MPI_File_read_ordered_end(file, values, &status);
    check(40 + rank);
    MPI_File_get_size(file, &size);
    assert(size == 6 * sizeof(int));
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
