#include <mpi.h>
#include <stddef.h>

int main(void) {
    int rank, value = 1, memory[3] = {0};
    MPI_Win window;
    MPI_File file;
    MPI_Request request, copy;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_File_open(MPI_COMM_WORLD, NAME, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_Win_fence(0, window);
    MPI_Win_fence(0, window);
    MPI_Win_lock_all(0, window);
    MPI_Rput(&value, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window, &request);
    copy = request;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (WRONG == 1) MPI_Wait(&copy, MPI_STATUS_IGNORE);
    for (int i = 0; i < 3; i++) { /* the same handle again, and twice at a time */
        MPI_Request both[2];
        MPI_Rput(&value, 1, MPI_INT, 1 - rank, 1, 1, MPI_INT, window, &both[0]);
        MPI_Rput(&value, 1, MPI_INT, 1 - rank, 2, 1, MPI_INT, window, &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        MPI_Win_flush(1 - rank, window);
    }
    MPI_Win_unlock_all(window);
    MPI_File_iwrite_at(file, 4 * rank, &value, 1, MPI_INT, &request);
    copy = request;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (WRONG == 2) MPI_Wait(&copy, MPI_STATUS_IGNORE);
    MPI_File_iread_at(file, 4 * rank, &value, 1, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
