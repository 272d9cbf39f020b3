/* DAMPI-TEST
 *   np: 2
 *   expect: incomplete
 *   central: refused MPI_Init_thread
 * The twin of waiting_threads: the same threads wait in MPI, for a condition, and for each other's end, while one of
 * them computes for long before it signals and sends; until then it looks like a deadlock, and is none.
 */
#include <mpi.h>
#include <time.h>
#include <pthread.h>

#ifndef ACKNOWLEDGED
#define ACKNOWLEDGED 0 /* whether the sender first waits for a message that nobody sends */
#endif

static int peer, ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void receive(int tag) {
    int value;
    MPI_Recv(&value, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void* receiver(void* none) {
    receive(1);
    return none;
}

static void* sender(void* none) {
    pthread_mutex_lock(&lock);
    while (!ready) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    int value = 1;
    MPI_Send(&value, 1, MPI_INT, peer, 1, MPI_COMM_WORLD);
    return none;
}

static void* computer(void* none) {
    if (ACKNOWLEDGED) receive(2);
    const clock_t begin = clock(); /* of all threads */
    while (clock() - begin < CLOCKS_PER_SEC / 2) {}
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return none;
}

int main(int argc, char** argv) {
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    void* (*const functions[])(void*) = {receiver, sender, computer};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, functions[i], NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    MPI_Finalize();
    return 0;
}
