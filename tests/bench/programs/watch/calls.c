/* Nanoseconds of CPU time of each call, the least of some rounds; linked with no_mpi.c. */
#include <stdio.h>
#include <time.h>

int MPI_Init(int*, char***);
int MPI_Send(void*, int, int, int, int, int);
int MPI_Recv(void*, int, int, int, int, int, void*);
int MPI_Barrier(int);
int MPI_Iprobe(int, int, int, int*, void*);
int MPI_Isend(void*, int, int, int, int, int, int*);
int MPI_Irecv(void*, int, int, int, int, int, int*);
int MPI_Waitall(int, int*, void*);
int MPI_Finalize(void);

enum { calls = 200000, rounds = 20, world = 0x44000000, integer = 0x4c000405 };
static void* const ignored = (void*)1;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

#define MEASURE(name, parts, call)                                 \
    do {                                                           \
        double best = 1e9;                                         \
        for (int round = 0; round < rounds; ++round) {             \
            const double begin = now();                            \
            for (int i = 0; i < calls; ++i) {                      \
                call;                                              \
            }                                                      \
            const double time = (now() - begin) / calls / (parts); \
            if (time < best) best = time;                          \
        }                                                          \
        printf("%s %.1f\n", name, best);                           \
    } while (0)

int main(int argc, char** argv) {
    int data[2] = {0, 0}, requests[2], flag;
    MPI_Init(&argc, &argv);
    MEASURE("MPI_Send", 1, MPI_Send(data, 1, integer, 1, 5, world));
    MEASURE("MPI_Recv", 1, MPI_Recv(data, 1, integer, 1, 5, world, ignored));
    MEASURE("MPI_Barrier", 1, MPI_Barrier(world));
    MEASURE("MPI_Iprobe", 1, MPI_Iprobe(1, 5, world, &flag, ignored));
    MEASURE("MPI_Isend,_MPI_Irecv,_MPI_Waitall:_each", 3, {
        MPI_Isend(&data[0], 1, integer, 1, 5, world, &requests[0]);
        MPI_Irecv(&data[1], 1, integer, 1, 5, world, &requests[1]);
        MPI_Waitall(2, requests, ignored);
    });
    MPI_Finalize();
    return 0;
}
