/* Each rank puts into the window of the other, where a thread adds up what there is: when the fence has come, or with
 * WRONG before. */
#include "windows.h"

#include <pthread.h>

static void* add_up(void* sum) {
    for (int i = 0; i < 8; i++) {
        *(int*)sum += memory[i];
    }
    return NULL;
}

static void run_thread(void) {
    int sum = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, add_up, &sum);
    pthread_join(thread, NULL);
}

int main(void) {
    begin();
    for (int i = 0; i < 2; i++) {
        MPI_Win_fence(0, win);
        MPI_Put(values, 1, MPI_INT, 1 - rank, 3, 1, MPI_INT, win);
        if (WRONG) {
            run_thread();
        }
        MPI_Win_fence(0, win);
        run_thread();
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    return finish();
}
