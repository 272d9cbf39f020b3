/* DAMPI-TEST
 *   np: 3
 *   expect: clean
 *   interleavings: 8
 *   outcomes: {0#0<-1 0#1<-1 0#2<-1 0#3<-2} {0#0<-1 0#1<-1 0#2<-2 0#3<-1} {0#0<-1 0#1<-2 0#2<-1 0#3<-2}
 *     {0#0<-1 0#1<-2 0#2<-2 0#3<-1} {0#0<-2 0#1<-1 0#2<-1 0#3<-2} {0#0<-2 0#1<-1 0#2<-2 0#3<-1}
 *     {0#0<-2 0#1<-2 0#2<-1 0#3<-2} {0#0<-2 0#1<-2 0#2<-2 0#3<-1}
 * A task pool: who asks first gets the next task. Two tasks, then a stop for each of two workers: 2 x 2 x 2 x 1
 * orders.
 */
#include <assert.h>
#include <mpi.h>
#include <stddef.h>

enum { TAG_REQUEST = 1, TAG_TASK = 2, TAG_STOP = 3, TASKS = 2 };

int main(void) {
    int rank;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int sum = 0, next = 0, working = 2;
        while (working > 0) {
            int result;
            MPI_Status status;
            MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, TAG_REQUEST, MPI_COMM_WORLD, &status);
            sum += result;
            if (next < TASKS) {
                next++;
                MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, TAG_TASK, MPI_COMM_WORLD);
            } else {
                working--;
                MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, TAG_STOP, MPI_COMM_WORLD);
            }
        }
        assert(sum == 1 * 1 + 2 * 2);
    } else {
        int result = 0, task;
        for (;;) {
            MPI_Status status;
            MPI_Send(&result, 1, MPI_INT, 0, TAG_REQUEST, MPI_COMM_WORLD);
            MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            if (status.MPI_TAG == TAG_STOP) break;
            result = task * task;
        }
    }
    MPI_Finalize();
    return 0;
}
