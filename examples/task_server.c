/* DAMPI-TEST
 *   np: 2
 *   options: --max-interleavings 40 --no-message-leaks
 *   expect: crash, incomplete
 * A server of tasks that polls, as most do: it asks in turn whether its last answer is through and whether anybody has
 * sent something, and looks at the clock. When nothing has come for five seconds it takes all work for done, and tells
 * everybody. But a worker may have a task of which it makes another one, and sends that a moment later: it is lost. A
 * plain run never shows it, since no task takes five seconds. Twin: task_server_ok.
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

enum { PUT = 1, GET, TASK, TASKS = 1, DEPTH = 1, NONE = -1, ROOM = 16 };

static int pool[ROOM], in_pool, waiting[ROOM], done;

static void serve(int workers) {
    int answer[ROOM], over = 0;
    MPI_Request answers[ROOM];
    for (int w = 1; w <= workers; w++) answers[w] = MPI_REQUEST_NULL;
    for (int t = 0; t < TASKS; t++) pool[in_pool++] = 0; /* a task is how often one was made of it */
    double last = MPI_Wtime();
    while (!over) {
        int flag, task;
        MPI_Status status;
        for (int w = 1; w <= workers; w++) {
            MPI_Test(&answers[w], &flag, MPI_STATUS_IGNORE);
            if (flag && waiting[w] && in_pool > 0) {
                answer[w] = pool[--in_pool];
                waiting[w] = 0;
                MPI_Isend(&answer[w], 1, MPI_INT, w, TASK, MPI_COMM_WORLD, &answers[w]);
            }
        }
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
        if (flag) {
            MPI_Recv(&task, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (status.MPI_TAG == PUT) pool[in_pool++] = task;
            if (status.MPI_TAG == GET) waiting[status.MPI_SOURCE] = 1;
            last = MPI_Wtime();
        } else {
            over = MPI_Wtime() - last > 5;
        }
    }
    MPI_Waitall(workers, answers + 1, MPI_STATUSES_IGNORE);
    for (int w = 1; w <= workers; w++) MPI_Send(&(int){NONE}, 1, MPI_INT, w, TASK, MPI_COMM_WORLD);
}

static void work(void) {
    for (;;) {
        int task = 0;
        MPI_Send(&task, 1, MPI_INT, 0, GET, MPI_COMM_WORLD);
        MPI_Recv(&task, 1, MPI_INT, 0, TASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (task == NONE) return;
        done++;
        if (task++ < DEPTH) MPI_Send(&task, 1, MPI_INT, 0, PUT, MPI_COMM_WORLD);
    }
}

int main(int argc, char** argv) {
    int rank, size, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        serve(size - 1);
    else
        work();
    MPI_Reduce(&done, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%d tasks done\n", all);
        assert(all == TASKS * (DEPTH + 1)); /*@*/
    }
    MPI_Finalize();
    return 0;
}
