/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete (hints to communicators are never followed; the rest may be, one day)
 *   central: refused MPI_Grequest_complete
 *   interleavings: 1
 * MPI hands out the same handles again and again: for requests that the layer follows and for others, in turn and at
 * the same time. None of them is used up when it is used. Twins: used_up_request, freed_request.
 */
#include <mpi.h>
#include <stddef.h>

static int query(void* state, MPI_Status* status) {
    (void)state;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}
static int release(void* state) { return state == NULL ? MPI_SUCCESS : MPI_ERR_OTHER; }
static int cancel(void* state, int complete) { return state == NULL || complete ? MPI_SUCCESS : MPI_ERR_OTHER; }

int main(void) {
    int rank, other, values[4] = {0}, memory[4] = {0};
    MPI_Win window;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Info hints;
    MPI_Info_create(&hints);
    MPI_Comm_set_info(MPI_COMM_SELF, hints);
    MPI_Info_free(&hints);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < 20; i++) {
        MPI_Request r[6];
        MPI_Isend(&values[0], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&values[1], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &r[1]);
        MPI_Rput(&values[2], 1, MPI_INT, other, 2, 1, MPI_INT, window, &r[2]);
        MPI_Rput(&values[2], 0, MPI_INT, MPI_PROC_NULL, 2, 0, MPI_INT, window, &r[3]);
        MPI_Grequest_start(query, release, cancel, NULL, &r[4]);
        MPI_Isend(&values[0], 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r[5]);
        MPI_Grequest_complete(r[4]);
        for (int j = 0; j < 6; j++) MPI_Wait(&r[(i + j) % 6], MPI_STATUS_IGNORE);
        MPI_Win_flush(other, window);
        MPI_Grequest_start(query, release, cancel, NULL, &r[0]);
        MPI_Rput(&values[2], 1, MPI_INT, other, 2, 1, MPI_INT, window, &r[1]);
        MPI_Grequest_complete(r[0]);
        MPI_Status statuses[2];
        MPI_Waitall(2, r, statuses);
        MPI_Win_flush(other, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
